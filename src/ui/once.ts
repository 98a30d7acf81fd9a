/** Wraps `work`, so that it runs at the first call only; later calls return the same result. */
export function once<Result>(work: () => Result): () => Result {
  let done: readonly [Result] | undefined;
  return () => (done ??= [work()])[0];
}
