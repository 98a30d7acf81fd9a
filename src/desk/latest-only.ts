/**
 * Wraps a read so that only the newest call returns its result. An older call returns undefined, because its result may
 * contain a row that was removed in the meantime. `forget` outdates all running calls.
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
