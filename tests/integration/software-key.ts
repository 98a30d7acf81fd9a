import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Options that a browser passes to a security key. */
interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
}

/** Changes that an attacker would make to a response. */
interface Changes {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
}

const ES256 = -7;
const USER_PRESENT = 0x01;
const HAS_KEY = 0x40;
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

/** Security key in software: https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data */
export function softwareKey(site: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, { challenge }: Options, { origin = site, ...changes }: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge: changes.challenge ?? challenge, origin, crossOrigin: false }));

  function authenticatorData({ rp, rpId = rp!.id }: Options, flags: number, changes: Changes): Buffer {
    const head = Buffer.alloc(37);
    createHash('sha256')
      .update(changes.rpId ?? rpId)
      .digest()
      .copy(head);
    head.writeUInt8(USER_PRESENT | flags, 32);
    head.writeUInt32BE(changes.counter ?? ++counter, 33);
    return head;
  }

  return {
    create(options: Options, changes: Changes = {}) {
      const data = clientData('webauthn.create', options, changes);
      const key = Buffer.concat([
        // CBOR map with five entries: key type 2, algorithm ES256, curve 1, x and y.
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x20 - ES256 - 1, 0x20, 0x01, 0x21, 0x58, 0x20]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 0x20]),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.from([0, id.length]);
      const head = authenticatorData(options, HAS_KEY, changes);
      const authData = Buffer.concat([head, Buffer.alloc(16), length, id, key]);
      const text = (words: string) => Buffer.concat([Buffer.from([0x60 + words.length]), Buffer.from(words)]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      return responseOf({ clientDataJSON: base64url(data), attestationObject: base64url(attestation) });
    },
    use(options: Options, changes: Changes = {}) {
      const data = clientData('webauthn.get', options, changes);
      const authData = authenticatorData(options, 0, changes);
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
      const signature = base64url(sign('sha256', signed, privateKey));
      return responseOf({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature,
      });
    },
  };

  function responseOf(response: object) {
    return { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response };
  }
}
