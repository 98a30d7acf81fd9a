import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import path from 'node:path';

/** Push subscription as a browser gives it to a page. */
export interface Device {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Received push message, decrypted as in a browser. */
export interface Pushed {
  readonly device: string;
  readonly topic: string | undefined;
  readonly ttl: number;
  readonly payload: {
    readonly web_push: number;
    readonly app_badge?: number;
    readonly notification: Record<string, unknown>;
  };
  /** All unencrypted text of the request, which tests search for personal data. */
  readonly inTheClear: string;
}

interface Kept {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}

/** Certificate of `localhost`, valid for a hundred years, which test processes trust through NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = path.resolve('tests/push/localhost.pem');
const KEY = path.resolve('tests/push/localhost-key.pem');

/** Substitute for a browser vendor’s push service, which also decrypts each message, as the browser would. */
export class PushService {
  readonly pushed: Pushed[] = [];
  /** Returns the answer to the nth message for a device; 201 by default. */
  answers: (device: string, nth: number) => { status: number; headers?: Record<string, string> } | 'drop' | 'hang' =
    () => ({
      status: 201,
    });
  /** Number of requests for each device, including refused requests. */
  readonly asked = new Map<string, number>();
  #publicKey: string | undefined;
  readonly #devices = new Map<string, Kept>();
  readonly #server: Server;
  #port = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<PushService> {
    const server = createServer({ cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) });
    const service = new PushService(server);
    server.on('request', (request, response) => void service.#receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    service.#port = (server.address() as { port: number }).port;
    return service;
  }

  get host(): string {
    return `localhost:${this.#port}`;
  }

  subscribe(name: string): Device {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    const auth = randomBytes(16);
    this.#devices.set(name, { ecdh, auth });
    return {
      endpoint: `https://${this.host}/push/${name}`,
      p256dh: ecdh.getPublicKey('base64url'),
      auth: auth.toString('base64url'),
    };
  }

  /** Public key of the only sender that may push. RFC 8292 makes a service refuse other keys. */
  set publicKey(key: string) {
    this.#publicKey = key;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const name = request.url!.replace('/push/', '');
    const nth = (this.asked.get(name) ?? 0) + 1;
    this.asked.set(name, nth);
    const answer = this.answers(name, nth);
    const device = this.#devices.get(name);
    if (answer === 'hang') return;
    if (!device) return void response.writeHead(404).end();
    if (answer !== 'drop' && answer.status !== 201) return void response.writeHead(answer.status, answer.headers).end();
    const refused = this.#refuse(request);
    if (refused) return void response.writeHead(400).end(refused);
    this.pushed.push({
      device: name,
      topic: request.headers['topic'] as string | undefined,
      ttl: Number(request.headers['ttl']),
      payload: JSON.parse(decrypt(Buffer.concat(chunks), device)) as Pushed['payload'],
      inTheClear: `${request.url} ${JSON.stringify(request.headers)}`,
    });
    if (answer === 'drop') request.socket.destroy();
    else response.writeHead(201).end();
  }

  /** Returns why a real push service would refuse the request (https://www.rfc-editor.org/rfc/rfc8292 and rfc8030). */
  #refuse({ headers }: IncomingMessage): string | undefined {
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    if (this.#publicKey && key !== this.#publicKey) return 'another key';
    if (point.length !== 65) return 'no key';
    const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) return 'not signed';
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    if (aud !== `https://${this.host}`) return 'for another service';
    if (!(Number(exp) * 1000 > Date.now() && Number(exp) * 1000 < Date.now() + 86_400_000)) return 'exp';
    if (!/^mailto:\S+@\S+$|^https:/.test(String(sub))) return 'sub';
    if (headers['content-encoding'] !== 'aes128gcm') return 'encoding';
    if (!(Number(headers['ttl']) > 0)) return 'ttl';
    if (!/^[\w-]{1,32}$/.test(String(headers['topic']))) return 'topic';
    return undefined;
  }
}

/** Decrypts by RFC 8291 and RFC 8188 with Node alone, so that a fault of the encrypting library is noticed. */
function decrypt(body: Buffer, { ecdh, auth }: Kept): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const senderKey = body.subarray(21, 21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const sealed = body.subarray(21 + keyLength);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The byte 2 marks the end of the text in the last record; zeros may follow as padding.
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}
