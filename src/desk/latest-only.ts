/**
 * Makes a read that drops outdated results, because they may contain a row that was removed in the meantime. The result
 * is undefined if a later read has begun or `forget` was called.
 */
export function latestOnly<Value>(read: () => Promise<Value>) {
  let calls = 0;
  async function readLatest(): Promise<Value | undefined> {
    const call = (calls += 1);
    const value = await read();
    return call === calls ? value : undefined;
  }
  return Object.assign(readLatest, { forget: () => void (calls += 1) });
}
