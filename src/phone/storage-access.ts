/**
 * Calls `use`, which reads or writes localStorage or sessionStorage; returns undefined if it throws. In browsers that
 * block cookies the mere mention of a storage throws, on full phones and in old private windows a write throws, and
 * JSON.parse throws at a truncated text.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
