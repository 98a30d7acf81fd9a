import { isId } from '../../src/lead/quote.ts';
import type { createAdmission } from '../admission.ts';
import { answered, readBody } from './body.ts';
import { CHALLENGE_SECONDS, type Factors, type StoredFactor } from './factors.ts';
import { creationOptions, newChallenge, readAssertion, readCreation, requestOptions, siteOf } from './passkeys.ts';
import { hashCode, newCodes, RECOVERY_CODES } from './recovery-codes.ts';
import { AuthRefusal } from './refusal.ts';
import type { SignedIn } from './sessions.ts';
import type { PasswordGuard } from './throttle.ts';
import type { Tokens } from './tokens.ts';
import { findStep, newSecret, otpauthAddress } from './totp.ts';

interface Services {
  readonly mostBytes: number;
  readonly factors: Factors;
  readonly tokens: Tokens;
  /** Limits wrong codes, which are counted apart from wrong passwords. */
  readonly guard: PasswordGuard;
  readonly inTurn: ReturnType<typeof createAdmission>;
  readonly siteUrl: string | undefined;
  readonly now: () => number;
}

/** Name that authenticator apps show for the site, unless the client names one. */
const ISSUER = 'AeroPuente';
const MOST_FACTORS = 10;
const MOST_NAME = 100;

type Body = Readonly<Record<string, unknown>>;
interface Asked {
  readonly request: Request;
  readonly body: Body;
  readonly address: string;
}
type Act = (services: Services, who: SignedIn, factor: StoredFactor, asked: Asked) => Promise<Response>;

/** Answers `/factors` like Supabase Auth: codes of an authenticator app, passkeys and recovery codes. */
export function createSecondFactor(services: Services) {
  const { mostBytes, factors, inTurn } = services;
  return async (who: SignedIn, address: string, request: Request, path: string): Promise<Response> => {
    const [, place = '', rest = ''] = /^(?:\/([\w-]+)(\/\w+)?)?$/.exec(path) ?? [];
    const what = `${request.method} ${rest}`;
    const isRecovery = place === 'recovery-codes' && RECOVERY.has(what);
    const act = isId(place) ? ACTS[what] : undefined;
    const isEnrolment = `${request.method} ${path}` === 'POST ';
    if (!isRecovery && !act && !isEnrolment) throw new AuthRefusal(404, 'unexpected_failure', 'There is nothing here');
    // The body is read before the request takes its turn at the database: a slow body would otherwise delay other
    // requests. Some requests of auth-js have no body.
    const isEmpty = request.method !== 'POST' || request.headers.get('content-length') === '0';
    const body = isEmpty ? {} : await readBody(request, mostBytes);
    const asked = { request, body, address };
    return inTurn('staff', address, async () => {
      if (isRecovery) return recovery(services, who, what, asked);
      if (!act) return enrol(services, who, body);
      const factor = await factors.find(who.account.id, place);
      // This path is only for other factors: recovery codes have a path of their own.
      if (!factor || factor.factor_type === 'recovery_code')
        throw new AuthRefusal(404, 'mfa_factor_not_found', 'Factor not found');
      return act(services, who, factor, asked);
    });
  };
}

async function enrol({ factors }: Services, { account, session }: SignedIn, body: Body): Promise<Response> {
  const { factor_type: type, friendly_name: typed, issuer: named } = body;
  if (type !== 'totp' && type !== 'webauthn')
    throw new AuthRefusal(400, 'validation_failed', 'factor_type needs to be totp or webauthn');
  const name = nameOf(typed) || `${type} ${account.factors.length + 1}`;
  await factors.sweep(account.id);
  if (account.factors.length >= MOST_FACTORS)
    throw new AuthRefusal(422, 'too_many_enrolled_mfa_factors', 'Maximum number of factors reached');
  if (isVerified(account.factors) && !session.passed) throw insufficient('enroll a new factor');
  const secret = type === 'totp' ? newSecret() : undefined;
  const id = await factors.add(account.id, type, name, secret);
  if (!id) throw new AuthRefusal(422, 'mfa_factor_name_conflict', 'A factor with this friendly name exists already');
  if (!secret) return answered({ id, type, friendly_name: name });
  const uri = otpauthAddress(secret, account.email, nameOf(named) || ISSUER);
  // `qr_code` is empty, because the desk draws the QR code from `uri`.
  return answered({ id, type, friendly_name: name, totp: { qr_code: '', secret, uri } });
}

async function challenge(
  { factors, siteUrl, now }: Services,
  { account }: SignedIn,
  factor: StoredFactor,
  { request }: Asked,
): Promise<Response> {
  const { factor_type: type, credential } = factor;
  const asked = type === 'webauthn' ? newChallenge(credential ?? siteOf(request, siteUrl)) : undefined;
  const id = await factors.challenge(factor.id, asked);
  const answer = { id, type, expires_at: Math.floor(now() / 1000) + CHALLENGE_SECONDS };
  if (!asked) return answered(answer);
  const publicKey = credential
    ? await requestOptions(asked, credential)
    : await creationOptions(asked, account, await factors.credentials(account.id));
  const webauthn = { type: credential ? 'request' : 'create', credential_options: { publicKey } };
  return answered({ ...answer, webauthn });
}

async function verify(
  services: Services,
  who: SignedIn,
  factor: StoredFactor,
  { body, address }: Asked,
): Promise<Response> {
  const { factors, now } = services;
  const { challenge_id: id, code, webauthn } = body;
  const isPasskey = factor.factor_type === 'webauthn';
  const response = (webauthn as { credential_response?: unknown } | undefined)?.credential_response;
  if (isPasskey && (typeof response !== 'object' || response === null))
    throw new AuthRefusal(400, 'validation_failed', 'credential_response required');
  if (!isPasskey && (typeof code !== 'string' || !code))
    throw new AuthRefusal(400, 'validation_failed', 'Code needs to be non-empty');
  const found = typeof id === 'string' && isId(id) ? await factors.findChallenge(factor.id, id) : undefined;
  if (!found) throw new AuthRefusal(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
  if (found.created_at.getTime() < now() - CHALLENGE_SECONDS * 1000)
    throw new AuthRefusal(422, 'mfa_challenge_expired', 'MFA challenge has expired');
  return raise(services, who, address, async () => {
    const used = { factor: factor.id, challenge: found.id };
    if (isPasskey) {
      const read = factor.credential
        ? readAssertion(response as object, found.challenge!, factor.credential)
        : readCreation(response as object, found.challenge!);
      const credential = await read;
      return credential && factors.raise(who, { ...used, method: 'mfa/webauthn', credential });
    }
    const step = findStep(code as string, factor.secret!, now());
    if (step === undefined) return undefined;
    return factors.raise(who, { ...used, method: 'totp', step });
  });
}

/**
 * Verifies a second factor with `check`, and answers with the verified session. If `check` resolves with undefined, the
 * answer is a refusal.
 */
async function raise(
  { guard, tokens }: Services,
  { account }: SignedIn,
  address: string,
  check: () => Promise<SignedIn | undefined>,
): Promise<Response> {
  const raised = await guard.check(account.id, address, async () => {
    const passed = await check();
    if (!passed) throw new AuthRefusal(422, 'mfa_verification_failed', 'Invalid code entered');
    return passed;
  });
  guard.rememberSignIn(account.id, address);
  return answered(await tokens.sessionAnswer(raised.account, raised.session));
}

async function remove(
  { factors }: Services,
  { account, session }: SignedIn,
  { id, status }: StoredFactor,
): Promise<Response> {
  if (status === 'verified' && !session.passed) throw insufficient('unenroll a verified factor', 422);
  await factors.remove(account.id, id);
  return answered({ id });
}

async function recovery(services: Services, who: SignedIn, what: string, { body, address }: Asked): Promise<Response> {
  const { factors } = services;
  const { account, session } = who;
  const current = await factors.recovery(account.id);
  if (what === 'POST /verify') {
    const { code } = body;
    if (typeof code !== 'string' || !code)
      throw new AuthRefusal(400, 'validation_failed', 'Code needs to be non-empty');
    return raise(
      services,
      who,
      address,
      async () =>
        current && factors.raise(who, { factor: current.id, method: 'mfa/recovery_code', code: hashCode(code) }),
    );
  }
  if (what === 'POST ' && current)
    throw new AuthRefusal(422, 'mfa_verified_factor_exists', 'Recovery codes exist already');
  if (what !== 'POST ' && !current)
    throw new AuthRefusal(404, 'mfa_factor_not_found', 'This user has no recovery codes');
  if (what === 'GET ')
    return answered({
      id: current!.id,
      type: 'recovery_code',
      total: RECOVERY_CODES,
      remaining: current!.codes!.length,
    });
  if (!session.passed) throw insufficient('change recovery codes');
  if (what === 'DELETE ') return remove(services, who, current!);
  if (!account.factors.some(({ status, factor_type }) => status === 'verified' && factor_type !== 'recovery_code'))
    throw new AuthRefusal(422, 'mfa_recovery_codes_sole_factor', 'Recovery codes need another verified factor');
  const name = current?.friendly_name ?? (nameOf(body['friendly_name']) || 'Recovery codes');
  const codes = newCodes();
  const id = await factors.setCodes(account.id, name, codes.map(hashCode));
  return answered({ id, type: 'recovery_code', friendly_name: name, total: codes.length, codes });
}

const ACTS: Readonly<Record<string, Act>> = {
  'POST /challenge': challenge,
  'POST /verify': verify,
  'DELETE ': remove,
};

/** Requests about recovery codes: status, first codes, removal, use, new codes. */
const RECOVERY: ReadonlySet<string> = new Set(['GET ', 'POST ', 'DELETE ', 'POST /verify', 'POST /regenerate']);

const isVerified = (all: SignedIn['account']['factors']) => all.some(({ status }) => status === 'verified');

const nameOf = (typed: unknown) =>
  typeof typed === 'string'
    ? typed
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '')
        .trim()
        .slice(0, MOST_NAME)
    : '';

function insufficient(act: string, status = 403): AuthRefusal {
  return new AuthRefusal(status, 'insufficient_aal', `AAL2 required to ${act}`);
}
