/** Returns a function that runs `work` only at its first call; later calls return the same result. */
export function once<Result>(work: () => Result): () => Result {
  let done: readonly [Result] | undefined;
  return () => (done ??= [work()])[0];
}
