/**
 * localStorage and sessionStorage are used within this alone. A browser that blocks cookies throws at their name, a
 * full phone or an old private window at each write, JSON.parse at a text that was cut off: then the answer is
 * undefined, and the page goes on as if nothing were kept.
 */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
