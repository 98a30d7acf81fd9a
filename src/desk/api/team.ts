import { readPushKeyRow, readReachRow, readWatchRow, type ReachRow, type WatchRow } from '../../lead/rows.ts';
import type { Device } from '../../phone/push.ts';
import { backend, readJsonAt, rows, sendOnLeaving } from './backend.ts';

export const reportHere = (): Promise<unknown> => rows(backend.from('staff_signs').insert({ kind: 'estoy' }));

/**
 * Ends the shift. `mevoy`: open leads lose their owner, so that others can take them; `conservo`: they keep their
 * owner.
 */
export const reportGone =
  (kind: 'mevoy' | 'conservo') =>
  (token: string): Promise<unknown> =>
    sendOnLeaving('staff_signs', { kind }, token);

/** Ends the shift and hands all open leads to a colleague, including those whose accepted offer waits to be booked. */
export const handAll = (heir: string): Promise<unknown> =>
  rows(backend.from('staff_signs').insert({ kind: 'mevoy', heir }));

export const readReach = (): Promise<readonly ReachRow[]> =>
  rows(backend.from('desk_reach').select('*').order('name'), readReachRow);

export async function readPushKey(): Promise<string> {
  const [key] = await rows(backend.from('push_keys').select('public_key'), readPushKeyRow);
  return key!.public_key;
}

export const storeDevice = (device: Device): Promise<unknown> =>
  rows(backend.from('push_devices').insert({ ...device }));

/**
 * Sends the last request before the desk locks. It stores a secret, with which `readWatch` can count leads afterwards.
 */
export const storeWatch = (secret: string, token: string): Promise<Response> =>
  sendOnLeaving('desk_watches', { secret }, token);

/** Lead counts for a locked desk; undefined when the server no longer accepts the secret. */
export async function readWatch(secret: string): Promise<WatchRow | undefined> {
  const path = '/rest/v1/desk_watch?select=open,late,newest';
  const found = (await readJsonAt(path, { 'x-watch': secret })) as readonly unknown[];
  const row = readWatchRow(found[0]);
  if (found.length > 0 && !row) throw new Error('The answer is none of our server.');
  return row;
}
