/**
 * Runs every access to localStorage and sessionStorage; returns undefined if it throws. Browsers that block cookies
 * throw when the storage is named, full phones and old private windows when it is written, and JSON.parse at a
 * truncated text.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
