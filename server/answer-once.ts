/**
 * Calls `ask` at most once within `milliseconds`, and returns the cached answer until then, so that frequent requests
 * cost little.
 */
export function answerOnce<Answer>(ask: () => Promise<Answer>, milliseconds = 1000): () => Promise<Answer> {
  let askedAt = -Infinity;
  let answer: Promise<Answer>;
  return () => {
    if (performance.now() - askedAt > milliseconds) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
