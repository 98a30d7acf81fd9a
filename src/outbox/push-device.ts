import { PRESENTED, table } from './delivery.ts';

/** By which push services know the server; undefined if it did not answer. */
export async function fetchPushKey(): Promise<string | undefined> {
  const { data } = await table('push_keys').select('public_key');
  return data?.[0]?.public_key;
}

/** Where a push service reaches a browser; the names are those of the columns. */
export type Device = Readonly<Record<'endpoint' | 'p256dh' | 'auth', string>>;

/** Where the answer to this quote is to be told. False if our server did not take it. */
export async function registerDevice(quote_id: string, device: Device): Promise<boolean> {
  const devices = table('push_devices', { [PRESENTED]: quote_id });
  const { error } = await devices.insert({ ...device, quote_id } as never);
  return !error;
}
