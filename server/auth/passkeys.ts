import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Account } from './accounts.ts';
import type { StoredCredential } from './factors.ts';
import { AuthRefusal } from './refusal.ts';

/** Site for which a passkey is made. Browsers use the passkey at no other site. */
export interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

/** Random bytes that a passkey signs. */
export interface PasskeyChallenge extends PasskeySite {
  readonly challenge: string;
}

/** Library for passkeys, loaded on first use, because it takes 6 MB of memory. */
const load = () => import('@simplewebauthn/server');

/** Signature algorithms EdDSA, ES256 and RS256, the same as in Supabase Auth. */
const ALGORITHMS = [-8, -7, -257];

/**
 * Requirements for a passkey. 'preferred' also accepts a security key without its PIN, because the colleague has
 * already typed the password.
 */
const SELECTION = { residentKey: 'discouraged', userVerification: 'preferred' } as const;

export const newChallenge = ({ rpId, origin }: PasskeySite): PasskeyChallenge => ({
  challenge: randomBytes(32).toString('base64url'),
  rpId,
  origin,
});

/**
 * Returns the published site (VITE_SITE_URL), because a server does not know its own address. If VITE_SITE_URL is not
 * set, returns the origin that the browser states, which must be the host to which the request was sent.
 */
export function siteOf(request: Request, siteUrl: string | undefined): PasskeySite {
  const origin = siteUrl ?? request.headers.get('origin') ?? '';
  const url = URL.parse(origin);
  if (!url || (!siteUrl && url.host !== request.headers.get('host')))
    throw new AuthRefusal(400, 'validation_failed', 'The Origin header must name this site');
  return { rpId: url.hostname, origin: url.origin };
}

export async function creationOptions(
  { challenge, rpId }: PasskeyChallenge,
  account: Account,
  known: readonly StoredCredential[],
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: rpId,
    rpID: rpId,
    userName: account.email,
    userDisplayName: account.name,
    userID: Buffer.from(account.id),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: 300_000,
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: SELECTION,
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

export async function requestOptions({ challenge, rpId }: PasskeyChallenge, credential: StoredCredential) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: 300_000,
    allowCredentials: [descriptor(credential)],
    userVerification: SELECTION.userVerification,
  });
}

/** Resolves with the new passkey, or undefined if the response is wrong. */
export async function readCreation(
  response: object,
  { challenge, rpId, origin }: PasskeyChallenge,
): Promise<StoredCredential | undefined> {
  const { verifyRegistrationResponse } = await load();
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
  const key = Buffer.from(publicKey).toString('base64url');
  return { id, publicKey: key, counter, ...(transports && { transports }), rpId, origin };
}

/** Resolves with the passkey and its new counter, or undefined if the response is wrong. */
export async function readAssertion(
  response: object,
  { challenge }: PasskeyChallenge,
  stored: StoredCredential,
): Promise<StoredCredential | undefined> {
  const { verifyAuthenticationResponse } = await load();
  const { id, publicKey, counter, rpId, origin } = stored;
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    // The passkey must be used on the site where it was added. A signature made at another address of this server is
    // refused.
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
    requireUserVerification: false,
  }).catch(() => undefined);
  const isOwn = (response as { id?: unknown }).id === id;
  return isOwn && checked?.verified ? { ...stored, counter: checked.authenticationInfo.newCounter } : undefined;
}

const descriptor = ({ id, transports }: StoredCredential) => ({
  id,
  ...(transports && { transports: [...transports] }),
});
