/**
 * Wraps a read so that only the newest call returns its result. Older calls return undefined, because their results may
 * contain a row that was removed in the meantime. After `forget`, all calls that still run return undefined too.
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
