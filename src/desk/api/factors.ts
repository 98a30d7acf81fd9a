import type { AuthError, Factor } from '@supabase/supabase-js';
import { config } from '../../config.ts';
import { newId } from '../../lead/quote.ts';
import { failureOf, type AuthFailure } from './auth.ts';
import { backend } from './backend.ts';
import { RequestError } from './request-error.ts';

/** New authenticator app, not confirmed until the person types its first code. */
export interface NewApp {
  readonly id: string;
  /** Key that a person types if the app cannot scan. */
  readonly secret: string;
  /** URI in the QR code, which the app scans. */
  readonly uri: string;
}

/** Error code when the browser or the person refused the passkey. */
export const NO_PASSKEY = 'no_passkey';

const { mfa } = backend.auth;

/** True if the browser has passkeys, with the functions that convert their data from JSON. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Makes a name that no other factor of the account has, because the server requires this. */
const newName = (what: string) => `${what} ${newId().slice(0, 4)}`;

export async function enrolApp(): Promise<NewApp | AuthFailure> {
  const friendlyName = newName('App');
  const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName, issuer: config.company.name });
  return error ? failureOf(error) : { id: data.id, ...data.totp };
}

/** Tries a code with each authenticator app of the account, because the person does not say which app made the code. */
export async function passCode(apps: readonly string[], code: string): Promise<AuthFailure | undefined> {
  let failure: AuthFailure | undefined;
  for (const factorId of apps) {
    failure = asFailure((await mfa.challengeAndVerify({ factorId, code })).error);
    if (failure?.code !== 'mfa_verification_failed') break;
  }
  return failure;
}

export const passRecoveryCode = async (code: string): Promise<AuthFailure | undefined> =>
  asFailure((await mfa.recoveryCodes.verify({ code })).error);

export async function enrolPasskey(): Promise<AuthFailure | undefined> {
  const device = /Android|iPhone|iPad|Windows|Mac|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? 'Passkey';
  const { data, error } = await mfa.enroll({ factorType: 'webauthn', friendlyName: newName(device) });
  return error ? failureOf(error) : passPasskey(data.id);
}

/** Creates a passkey or signs in with it. The browser asks the person to confirm, for example by fingerprint. */
export async function passPasskey(factorId: string): Promise<AuthFailure | undefined> {
  const site = { rpId: location.hostname, rpOrigins: [location.origin] };
  const { data, error } = await mfa.challenge({ factorId, webauthn: site });
  if (error) return failureOf(error);
  const { type, credential_options: options } = data.webauthn;
  const credential = await (
    type === 'create'
      ? navigator.credentials.create(options as CredentialCreationOptions)
      : navigator.credentials.get(options as CredentialRequestOptions)
  ).catch(() => null);
  if (!credential) return { status: 400, code: NO_PASSKEY };
  const webauthn = { ...site, type, credential_response: credential };
  return asFailure(
    (await mfa.verify({ factorId, challengeId: data.id, webauthn } as Parameters<typeof mfa.verify>[0])).error,
  );
}

/**
 * Makes new recovery codes; the earlier ones become invalid. Returns none if the server does not support recovery
 * codes.
 */
export async function newRecoveryCodes(): Promise<readonly string[] | AuthFailure> {
  const first = await mfa.recoveryCodes.generate();
  const { data, error } =
    first.error?.code === 'mfa_verified_factor_exists' ? await mfa.recoveryCodes.regenerate() : first;
  if (!error) return data.codes;
  return error.status === 404 || error.code === 'mfa_recovery_codes_enroll_not_enabled' ? [] : failureOf(error);
}

export interface Security {
  readonly factors: readonly Factor[];
  /** Number of unused recovery codes; undefined if no recovery codes were made for the account. */
  readonly codes: number | undefined;
}

export async function readSecurity(): Promise<Security> {
  const { data, error } = await backend.auth.getUser();
  if (error) throw new RequestError('unreachable', error.code ?? '', error.message);
  const all = data.user.factors ?? [];
  const hasCodes = all.some(({ factor_type: type }) => type === 'recovery_code');
  const status = hasCodes ? await mfa.recoveryCodes.getStatus() : undefined;
  return { factors: all.filter(isStep), codes: status?.data?.remaining };
}

/** True for a confirmed app or passkey; false for recovery codes and unfinished enrolments. */
const isStep = ({ status, factor_type: type }: Factor): boolean => status === 'verified' && type !== 'recovery_code';

/**
 * Removes a second step of signing in. The session's token is then renewed, because its assurance level may be lower
 * without the step.
 */
export async function removeFactor(factorId: string): Promise<AuthFailure | undefined> {
  const failure = asFailure((await mfa.unenroll({ factorId })).error);
  if (!failure) await backend.auth.refreshSession();
  return failure;
}

const asFailure = (error: AuthError | null) => (error ? failureOf(error) : undefined);
