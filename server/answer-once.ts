/** Asks at most once in `milliseconds`, however often callers ask: strangers may ask as often as they like. */
export function answerOnce<Answer>(ask: () => Promise<Answer>, milliseconds = 1000): () => Promise<Answer> {
  let asked = -Infinity;
  let answer: Promise<Answer>;
  return () => {
    if (performance.now() - asked > milliseconds) {
      asked = performance.now();
      answer = ask();
    }
    return answer;
  };
}
