/**
 * Calls `use`, which reads or writes localStorage or sessionStorage; returns undefined if it throws. Browsers that
 * block cookies throw at the mere mention of a storage, full phones and old private windows at a write, and JSON.parse
 * at a truncated text.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
