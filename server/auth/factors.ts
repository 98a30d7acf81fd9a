import type { Database, Parameter } from '../database/database.ts';
import { factorsOf, type Factor } from './accounts.ts';
import type { PasskeyChallenge, PasskeySite } from './passkeys.ts';
import { readSession, type Method, type SessionRow, type SignedIn } from './sessions.ts';

/** Public key of a passkey, with the site for which the passkey was made. */
export interface StoredCredential extends PasskeySite {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports?: readonly string[];
}

export interface StoredFactor extends Pick<Factor, 'id' | 'factor_type' | 'friendly_name' | 'status'> {
  readonly secret: string | null;
  readonly credential: StoredCredential | null;
  readonly codes: readonly string[] | null;
}

export interface Challenge {
  readonly id: string;
  readonly created_at: Date;
  /** Challenge that a passkey must sign; null for the code of an authenticator app. */
  readonly challenge: PasskeyChallenge | null;
}

/** Values that are stored when a second factor is verified. */
interface Verified {
  readonly factor: string;
  /** Challenge that the verification uses up; absent for a recovery code, which has no challenge. */
  readonly challenge?: string;
  readonly method: Method;
  /** Time step of the TOTP code, stored so that this code and earlier ones are refused from then on. */
  readonly step?: number;
  readonly credential?: StoredCredential;
  /** Hash of the recovery code, which is then removed. */
  readonly code?: string;
}

/** Seconds after which a challenge and an unverified factor expire. */
export const CHALLENGE_SECONDS = 300;

const LOWER_SESSIONS = `update private_auth.sessions set method = null, method_at = null, factor = null
      where account = $1 and factor in (select id from removed union select id from codes)`;
const END_SESSIONS = 'delete from private_auth.sessions where account = $1 and exists (select from removed)';

/**
 * Verifies a second factor and raises the session to aal2 (password and second factor). The same challenge or code
 * cannot be used again afterwards.
 */
const RAISE = `
  with used as (
    delete from private_auth.challenges where id = $4 and factor = $1 returning id
  ), accepted as (
    update private_auth.factors set status = 'verified', updated_at = $3, last_step = coalesce($6, last_step),
      credential = coalesce($7::jsonb, credential), codes = array_remove(codes, $8)
    where id = $1 and account = $2 and ($4::uuid is null or exists (select from used))
      and ($6::bigint is null or last_step is null or last_step < $6) and ($8::text is null or $8 = any (codes))
    returning *
  ), raised as (
    update private_auth.sessions set counter = counter + 2, refreshed_at = $3, method = $9, method_at = $3, factor = $1
    where id = $5 and account = $2 and exists (select from accepted) returning *
  ), ended as (
    delete from private_auth.sessions
    where account = $2 and id <> $5 and method is null and exists (select from raised)
  ), swept as (
    delete from private_auth.factors where account = $2 and id <> $1 and status = 'unverified'
      and factor_type in (select factor_type from accepted)
  )
  select id from raised`;
/** Reads the session that RAISE has changed. PostgreSQL shows the changes of a statement only to later statements. */
const READ_RAISED = `select a.*, ${factorsOf('a')}, s.counter, s.created_at as session_created_at, s.method, s.method_at
  from private_auth.sessions s join private_auth.accounts a on a.id = s.account
  where s.id = $1 and s.factor = $2 and s.method_at = $3`;

const SET_CODES = `
  with changed as (
    update private_auth.factors set codes = $2, updated_at = $3
    where account = $1 and factor_type = 'recovery_code' returning id
  ), added as (
    insert into private_auth.factors (account, factor_type, friendly_name, status, codes, created_at, updated_at)
    select $1, 'recovery_code', $4, 'verified', $2, $3, $3 where not exists (select from changed) returning id
  )
  select id from changed union all select id from added`;

export type Factors = ReturnType<typeof createFactors>;

/**
 * Reads and changes second factors. `find` needs the account as well as the factor, so that nobody reaches a
 * colleague's factor.
 */
export function createFactors(database: Pick<Database, 'transaction'>, now: () => number) {
  const ask = <Found extends object>(access: 'read' | 'write', sql: string, ...parameters: Parameter[]) =>
    database.transaction<Found>([{ sql, parameters }], { access });
  const at = () => new Date(now()).toISOString();
  const expired = () => new Date(now() - CHALLENGE_SECONDS * 1000).toISOString();

  async function remove(account: string, factor: string, changeSessions: string): Promise<boolean> {
    const sql = `
      with removed as (
        delete from private_auth.factors where account = $1 and id = $2 returning id
      ), codes as (
        delete from private_auth.factors f where account = $1 and factor_type = 'recovery_code' and not exists (
          select from private_auth.factors other
          where other.account = $1 and other.id not in ($2, f.id) and other.status = 'verified') returning id
      ), changed as (
        ${changeSessions}
      )
      select id from removed`;
    return (await ask('write', sql, account, factor)).length > 0;
  }

  return {
    /**
     * Removes a factor, and lowers the sessions that were verified with it to aal1 (password only). If no verified
     * factor other than the recovery codes is left, the recovery codes are removed too.
     */
    remove: (account: string, factor: string) => remove(account, factor, LOWER_SESSIONS),

    async find(account: string, factor: string): Promise<StoredFactor | undefined> {
      const sql = 'select * from private_auth.factors where account = $1 and id = $2';
      return (await ask<StoredFactor>('read', sql, account, factor))[0];
    },

    async recovery(account: string): Promise<StoredFactor | undefined> {
      const sql = `select * from private_auth.factors where account = $1 and factor_type = 'recovery_code'`;
      return (await ask<StoredFactor>('read', sql, account))[0];
    },

    async credentials(account: string): Promise<readonly StoredCredential[]> {
      const sql = `select credential from private_auth.factors where account = $1 and credential is not null`;
      return (await ask<{ credential: StoredCredential }>('read', sql, account)).map(({ credential }) => credential);
    },

    /** Deletes the account's expired unverified factors, so that their names can be used again. */
    async sweep(account: string): Promise<void> {
      const sql = `delete from private_auth.factors where account = $1 and status = 'unverified' and created_at < $2`;
      await ask('write', sql, account, expired());
    },

    /** Adds a factor. Resolves with undefined if the account already has one of this name. */
    async add(
      account: string,
      type: Factor['factor_type'],
      name: string,
      secret?: string,
    ): Promise<string | undefined> {
      const sql = `insert into private_auth.factors (account, factor_type, friendly_name, secret, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $5) on conflict (account, friendly_name) do nothing returning id`;
      return (await ask<{ id: string }>('write', sql, account, type, name, secret, at()))[0]?.id;
    },

    async challenge(factor: string, challenge?: PasskeyChallenge): Promise<string> {
      const sql = `
        with challenged as (update private_auth.factors set last_challenged_at = $2 where id = $1 returning id),
          swept as (delete from private_auth.challenges where factor = $1 and created_at < $4)
        insert into private_auth.challenges (factor, created_at, challenge) select id, $2, $3::jsonb from challenged returning id`;
      return (
        await ask<{ id: string }>('write', sql, factor, at(), challenge && JSON.stringify(challenge), expired())
      )[0]!.id;
    },

    async findChallenge(factor: string, challenge: string): Promise<Challenge | undefined> {
      const sql = 'select * from private_auth.challenges where factor = $1 and id = $2';
      return (await ask<Challenge>('read', sql, factor, challenge))[0];
    },

    /**
     * Raises the session to aal2 (password and second factor), and ends the account's other sessions below aal2. The
     * counter of the refresh token advances by two: otherwise the previous token, which a thief may have, would still
     * work for 30 seconds. Resolves with undefined if the code or the challenge was used already.
     */
    async raise({ account, session }: SignedIn, verified: Verified): Promise<SignedIn | undefined> {
      const { factor, challenge, method, step, credential, code } = verified;
      const parameters = [
        factor,
        account.id,
        at(),
        challenge,
        session.session,
        step,
        credential && JSON.stringify(credential),
        code,
        method,
      ];
      const [row] = await database.transaction<SessionRow>([
        { sql: RAISE, parameters },
        { sql: READ_RAISED, parameters: [session.session, factor, parameters[2]] },
      ]);
      return row && readSession(session.session, row);
    },

    /** Removes a factor on behalf of the operator, and ends all sessions of the account. */
    removeAndEnd: (account: string, factor: string) => remove(account, factor, END_SESSIONS),

    /** Stores the hashes of new recovery codes in place of all earlier ones. */
    async setCodes(account: string, name: string, codes: readonly string[]): Promise<string> {
      return (await ask<{ id: string }>('write', SET_CODES, account, codes, at(), name))[0]!.id;
    },
  };
}
