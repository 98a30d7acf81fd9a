/** Caches the answer of `ask` for some milliseconds, because anybody may request it very often. */
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
