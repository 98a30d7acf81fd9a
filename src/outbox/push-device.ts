import { ID_HEADER, table } from './delivery.ts';

/** Fetches the public key by which push services recognise the server; undefined if the server did not respond. */
export async function fetchPushKey(): Promise<string | undefined> {
  const { data } = await table('push_keys').select('public_key');
  return data?.[0]?.public_key;
}

export type Device = Readonly<Record<'endpoint' | 'p256dh' | 'auth', string>>;

/** Registers this device for alerts about answers to a quote. False if the server refused. */
export async function registerDevice(quote_id: string, device: Device): Promise<boolean> {
  const devices = table('push_devices', { [ID_HEADER]: quote_id });
  const { error } = await devices.insert({ ...device, quote_id } as never);
  return !error;
}
