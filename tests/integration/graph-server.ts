import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../listening.ts';

/** Message to a customer, as the documentation of WhatsApp’s API describes it. */
export interface SentMessage {
  readonly to?: string;
  readonly recipient?: string;
  readonly type: 'text' | 'template';
  readonly text?: { readonly body: string };
  readonly template?: {
    readonly name: string;
    readonly language: { readonly code: string };
    readonly components: readonly { readonly parameters: readonly { readonly text: string }[] }[];
  };
  readonly biz_opaque_callback_data: string;
}

/**
 * Answer to a message: accepted, one of WhatsApp’s error codes, or a connection that breaks before (`lost`) or after
 * (`cut off`) the message has arrived.
 */
type Verdict = 'accepted' | 'cut off' | 'lost' | number;

export const APP_SECRET = 'test_app_secret';
export const TOKEN = 'EAAtoken-that-no-log-may-show';
const PHONE_ID = '106540352242922';
export const VERIFY_TOKEN = 'a-verify-token-of-tests';

/** Starts a substitute for WhatsApp’s Cloud API, with the parts that the product uses. */
export async function openGraphServer() {
  const messages: (SentMessage & { readonly wamid: string })[] = [];
  const files = new Map<string, { readonly type: string; readonly content: Buffer }>();
  const state: { verdict: (sent: SentMessage) => Verdict; media: (response: ServerResponse) => boolean } = {
    verdict: () => 'accepted',
    media: () => false,
  };
  let origin = '';
  const say = (outgoing: ServerResponse, status: number, body: object) =>
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { pathname } = new URL(incoming.url!, 'http://graph');
    if (incoming.headers.authorization !== `Bearer ${TOKEN}`)
      return say(outgoing, 401, {
        error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 },
      });
    const file = files.get(pathname.split('/').at(-1)!);
    if (pathname.startsWith('/files/') && file) {
      if (state.media(outgoing)) return;
      return void outgoing.writeHead(200, { 'content-type': file.type }).end(file.content);
    }
    if (incoming.method === 'GET' && file)
      return say(outgoing, 200, {
        url: `${origin}/files/${pathname.split('/').at(-1)}`,
        mime_type: file.type,
        sha256: createHash('sha256').update(file.content).digest('base64'),
        file_size: file.content.byteLength,
        messaging_product: 'whatsapp',
      });
    if (incoming.method === 'GET')
      return say(outgoing, 200, { verified_name: 'Carga', display_phone_number: '+52 55 1234 5678', id: PHONE_ID });
    const given = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as SentMessage;
    const verdict = state.verdict(given);
    if (verdict === 'lost') return void incoming.socket.destroy();
    if (typeof verdict === 'number')
      return say(outgoing, 400, { error: { message: `(#${verdict})`, type: 'OAuthException', code: verdict } });
    const wamid = `wamid.${randomBytes(16).toString('base64')}`;
    messages.push({ ...given, wamid });
    if (verdict === 'cut off') return void incoming.socket.destroy();
    say(outgoing, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: given.to, wa_id: given.to?.slice(1) }],
      messages: [{ id: wamid, message_status: 'accepted' }],
    });
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  origin = await listening(server);
  return {
    messages,
    files,
    state,
    origin,
    environment: {
      WHATSAPP_TOKEN: TOKEN,
      WHATSAPP_PHONE_ID: PHONE_ID,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      WHATSAPP_API_URL: origin,
      WHATSAPP_MEDIA_HOSTS: new URL(origin).host,
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Returns the body of a webhook with these values. */
export function webhook(...values: readonly object[]): string {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: values.map((value) => ({
      id: 'WABA',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '525512345678', phone_number_id: PHONE_ID },
            ...value,
          },
        },
      ],
    })),
  });
}

export const secondsOf = (at: number) => String(Math.floor(at / 1000));

/** Returns a confirmation of a message, as in the `statuses` of a webhook. */
export const status = (
  { wamid, to, biz_opaque_callback_data }: SentMessage & { readonly wamid: string },
  state: string,
  more: object = {},
) => ({
  statuses: [
    {
      id: wamid,
      status: state,
      timestamp: secondsOf(Date.now()),
      recipient_id: to?.slice(1),
      biz_opaque_callback_data,
      ...more,
    },
  ],
});

/** Returns a customer’s message, by default a text, as in the `messages` of a webhook. */
export function message({ from, user, body, at = Date.now(), ...more }: MessageOptions) {
  return {
    contacts: [{ profile: { name: 'Ana' }, wa_id: from, user_id: user }],
    messages: [
      {
        from,
        from_user_id: user,
        id: `wamid.${randomBytes(16).toString('base64')}`,
        timestamp: secondsOf(at),
        type: 'text',
        ...(body !== undefined && { text: { body } }),
        ...more,
      },
    ],
  };
}
interface MessageOptions {
  readonly from?: string;
  readonly user?: string;
  readonly body?: string;
  readonly at?: number;
  readonly [part: string]: unknown;
}

export const failure = (code: number) => ({ errors: [{ code, title: 'Error' }] });

export const signatureOf = (body: string | Buffer, secret = APP_SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Posts a webhook as Meta does. */
export const postHook = (address: string, body: string, signature = signatureOf(body)) =>
  fetch(new URL('/whatsapp', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });
