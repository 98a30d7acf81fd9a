/** However often it is asked: strangers may ask as often as they like. */
export function onceASecond<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked = -Infinity;
  let answer: Promise<Answer>;
  return () => {
    if (performance.now() - asked > 1000) {
      asked = performance.now();
      answer = ask();
    }
    return answer;
  };
}
