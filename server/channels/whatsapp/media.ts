import { MOST_FILE_BYTES } from '../../../src/lead/files.ts';
import { isRecord } from '../../../src/lead/validation.ts';
import { isHostIn } from '../../hosts.ts';
import type { WhatsAppSettings } from '../../alerts/settings.ts';
import type { Fetch } from '../../alerts/whatsapp.ts';

const TIME_OUT = 60_000;

/** Fetched file; 'again' if the file may be fetched later, 'refused' if the file is too large. */
export type MediaResult = Uint8Array | 'again' | 'refused';

/**
 * Fetches a picture or PDF. Asks for its URL first, which is valid for five minutes. The requests carry the access
 * token, so they go only to listed hosts and follow no redirect.
 */
export async function fetchMedia(
  id: string,
  settings: WhatsAppSettings,
  fetch: Fetch,
  stopping: AbortSignal,
): Promise<MediaResult> {
  const request: RequestInit = {
    headers: { authorization: `Bearer ${settings.token}` },
    redirect: 'error',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIME_OUT)]),
  };
  try {
    const about = await fetch(`${settings.api}/${id}?phone_number_id=${settings.phoneId}`, request);
    const { url, file_size } = toRecord(await about.json());
    if (Number(file_size) > MOST_FILE_BYTES) return 'refused';
    if (typeof url !== 'string' || !isMediaHost(url, settings)) return 'again';
    const file = await fetch(url, request);
    if (!file.ok) {
      await file.body?.cancel();
      return 'again';
    }
    return await readBytes(file, MOST_FILE_BYTES);
  } catch {
    return 'again';
  }
}

const toRecord = (value: unknown) => (isRecord(value) ? value : {});

function isMediaHost(address: string, { api, mediaHosts }: WhatsAppSettings): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, username, password } = new URL(address);
  if (protocol !== new URL(api).protocol || username || password) return false;
  const isKnown = isHostIn(host, mediaHosts);
  if (!isKnown) console.error(`WhatsApp offers a file at ${host}, which WHATSAPP_MEDIA_HOSTS does not name.`);
  return isKnown;
}

/** Reads the body of a request or response, up to a limit. Throws if the connection ends early. */
export async function readBytes(
  { body }: Pick<Response, 'body'>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | 'refused'> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return 'refused';
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/**
 * Encodes bytes of any length as base64. `btoa` takes only text, and `fromCharCode` only a limited number of arguments,
 * so the bytes are converted in pieces.
 */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += 0x80_00)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}
