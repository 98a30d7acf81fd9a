import { randomUUID } from 'node:crypto';
import type { Database, Parameter } from '../database/database.ts';
import { factorsOf, type Account } from './accounts.ts';
import type { RefreshToken } from './tokens.ts';

/** Second factor with which a session reached aal2, as Supabase Auth names it. */
export type Method = 'totp' | 'mfa/webauthn' | 'mfa/recovery_code';

export interface Session extends RefreshToken {
  readonly createdAt: Date;
  /** Absent until the session has passed a second factor. */
  readonly passed?: { readonly method: Method; readonly at: Date } | undefined;
}

export interface SignedIn {
  readonly account: Account;
  readonly session: Session;
}

export type Scope = 'global' | 'local' | 'others';
type RefreshFailure = 'refresh_token_not_found' | 'refresh_token_already_used' | 'session_expired';

interface Sessions {
  accountOf(email: string): Promise<Account | undefined>;
  /**
   * Begins a session after the password was checked. Resolves with undefined if the password has been changed since the
   * check.
   */
  begin(account: Account): Promise<SignedIn | undefined>;
  refresh(token: RefreshToken): Promise<SignedIn | RefreshFailure>;
  /** Resolves with undefined if the session or the account no longer exists. */
  find(session: string, account: string): Promise<SignedIn | undefined>;
  end(signedIn: SignedIn, scope: Scope): Promise<void>;
  /** Changes the owner's password and ends all other sessions. Resolves with undefined if another request changed it first. */
  changePassword(signedIn: SignedIn, password: string): Promise<Account | undefined>;
}

/**
 * Time for which a refresh token that was just used gets the same new tokens again, because auth-js repeats the request
 * if the answer was lost.
 */
const SAME_ANSWER = '30 seconds';
const UNUSED = '14 days';

const REFRESH = `
  with found as (
    select * from private_auth.sessions where id = $1 for update
  ), judged as (
    select *, case
      when refreshed_at < $3::timestamptz - interval '${UNUSED}' then 'session_expired'
      when counter = $2 then 'advanced'
      when counter = $2 + 1 and refreshed_at >= $3::timestamptz - interval '${SAME_ANSWER}' then 'same answer'
      -- Two clients have the token, and one may have stolen it: both have to sign in again.
      else 'refresh_token_already_used' end as outcome
    from found
  ), advanced as (
    update private_auth.sessions set counter = counter + 1, refreshed_at = $3
    where id in (select id from judged where outcome = 'advanced')
  ), ended as (
    delete from private_auth.sessions
    where id in (select id from judged where outcome in ('session_expired', 'refresh_token_already_used'))
  )
  select a.*, ${factorsOf('a')}, outcome, judged.counter, judged.created_at as session_created_at, method, method_at
  from judged join private_auth.accounts a on a.id = account`;

export type SessionRow = Account & {
  readonly counter: number;
  readonly session_created_at: Date;
  readonly method: Method | null;
  readonly method_at: Date | null;
};

export function readSession(id: string, row: SessionRow, counter = row.counter): SignedIn {
  const { session_created_at: createdAt, method, method_at: at } = row;
  return {
    account: row,
    session: { session: id, counter, createdAt, passed: method && at ? { method, at } : undefined },
  };
}

export function createSessions(database: Pick<Database, 'transaction'>, now: () => number): Sessions {
  const ask = <Found extends object>(access: 'read' | 'write', sql: string, ...parameters: Parameter[]) =>
    database.transaction<Found>([{ sql, parameters }], { access });
  const at = () => new Date(now()).toISOString();

  return {
    async accountOf(email) {
      const [account] = await ask<Account>(
        'read',
        `select *, ${factorsOf('accounts')} from private_auth.accounts where email = $1`,
        email,
      );
      return account;
    },

    async begin({ id, password }) {
      const session = randomUUID();
      const time = at();
      const sql = `
        with account as (
          update private_auth.accounts set last_sign_in_at = $4 where id = $1 and password = $2 returning *
        ), begun as (
          insert into private_auth.sessions (id, account, created_at, refreshed_at) select $3, id, $4, $4 from account
        ), swept as (delete from private_auth.sessions where refreshed_at < $4::timestamptz - interval '${UNUSED}')
        select *, ${factorsOf('account')} from account`;
      const [account] = await ask<Account>('write', sql, id, password, session, time);
      return account && { account, session: { session, counter: 0, createdAt: new Date(time) } };
    },

    async refresh({ session, counter }) {
      const [found] = await ask<SessionRow & { outcome: RefreshFailure | 'advanced' | 'same answer' }>(
        'write',
        REFRESH,
        session,
        counter,
        at(),
      );
      if (!found) return 'refresh_token_not_found';
      const { outcome } = found;
      if (outcome !== 'advanced' && outcome !== 'same answer') return outcome;
      return readSession(session, found, counter + 1);
    },

    async find(session, account) {
      const sql = `select a.*, ${factorsOf('a')}, s.counter, s.created_at as session_created_at, s.method, s.method_at
        from private_auth.sessions s join private_auth.accounts a on a.id = s.account where s.id = $1 and a.id = $2`;
      const [found] = await ask<SessionRow>('read', sql, session, account);
      return found && readSession(session, found);
    },

    async end({ account, session }, scope) {
      const which = { global: 'true', local: 'id = $2', others: 'id <> $2' }[scope];
      const sql = `delete from private_auth.sessions where account = $1 and $2::uuid is not null and ${which}`;
      await ask('write', sql, account.id, session.session);
    },

    async changePassword({ account, session }, password) {
      const sql = `
        with changed as (
          update private_auth.accounts set password = $3, must_change = false, updated_at = $4
          where id = $1 and password = $2 returning *
        ), ended as (delete from private_auth.sessions where account in (select id from changed) and id <> $5)
        select *, ${factorsOf('changed')} from changed`;
      const [changed] = await ask<Account>('write', sql, account.id, account.password, password, at(), session.session);
      return changed;
    },
  };
}
