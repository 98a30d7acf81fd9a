/**
 * Runs all access to localStorage and sessionStorage. Browsers that block cookies throw at the name, full phones and
 * old private windows at writes, JSON.parse at truncated text; the result is then undefined.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
