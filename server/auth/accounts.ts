import type { Database, Parameter } from '../database/database.ts';

/** Second factor, with the field names of Supabase Auth. */
export interface Factor {
  readonly id: string;
  readonly factor_type: 'totp' | 'webauthn' | 'recovery_code';
  readonly friendly_name: string;
  readonly status: 'verified' | 'unverified';
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_challenged_at?: string;
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Role in the database: always `staff`, the default of this column. */
  readonly role: string;
  readonly supervisor: boolean;
  /** True for a supervisor who needs no second factor, as in the demo. */
  readonly factor_optional: boolean;
  readonly factors: readonly Factor[];
  /** Hash of the password. */
  readonly password: string;
  readonly must_change: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_sign_in_at: Date | null;
}

interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly supervisor: boolean;
  readonly isFactorOptional?: boolean;
  readonly password: string;
}

export interface Accounts {
  list(page: { readonly limit: number; readonly offset: number }): Promise<Account[]>;
  find(id: string): Promise<Account | undefined>;
  /** Adds an account. Resolves with undefined if the e-mail has one already. */
  add(account: NewAccount): Promise<Account | undefined>;
  /** Sets a first password, which the colleague must change, and ends all sessions of the account. */
  setPassword(id: string, password: string): Promise<Account | undefined>;
  /** Sets the role. Open sessions have the new role from their next access token, within 15 minutes. */
  setSupervisor(id: string, supervisor: boolean): Promise<Account | undefined>;
  remove(id: string): Promise<boolean>;
}

/** SQL of a column with the second factors of each account in `table`, oldest first. */
export const factorsOf = (table: string) => `(
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'factor_type', factor_type,
      'friendly_name', friendly_name, 'status', status, 'created_at', created_at, 'updated_at', updated_at,
      'last_challenged_at', last_challenged_at)) order by created_at), '[]')
  from private_auth.factors where account = ${table}.id) as factors`;

const RETURNING = `returning *, ${factorsOf('accounts')}`;

export function createAccounts(database: Pick<Database, 'transaction'>): Accounts {
  const ask = (sql: string, ...parameters: Parameter[]) => database.transaction<Account>([{ sql, parameters }]);
  const one = async (...query: Parameters<typeof ask>) => (await ask(...query))[0];
  return {
    list: ({ limit, offset }) =>
      ask(
        `select *, ${factorsOf('accounts')} from private_auth.accounts order by email limit $1 offset $2`,
        limit,
        offset,
      ),
    find: (id) => one(`select *, ${factorsOf('accounts')} from private_auth.accounts where id = $1`, id),
    add: ({ email, name, supervisor, isFactorOptional = false, password }) => {
      const sql = `insert into private_auth.accounts (email, name, supervisor, factor_optional, password)
        values ($1, $2, $3, $4, $5) on conflict (email) do nothing ${RETURNING}`;
      return one(sql, email, name, supervisor, isFactorOptional, password);
    },
    setPassword: (id, password) => {
      const sql = `
        with changed as (
          update private_auth.accounts set password = $2, must_change = true, updated_at = now() where id = $1 ${RETURNING}
        ), ended as (delete from private_auth.sessions where account = $1)
        select * from changed`;
      return one(sql, id, password);
    },
    setSupervisor: (id, supervisor) =>
      one(
        `update private_auth.accounts set supervisor = $2, updated_at = now() where id = $1 ${RETURNING}`,
        id,
        supervisor,
      ),
    remove: async (id) => (await ask('delete from private_auth.accounts where id = $1 returning *', id)).length > 0,
  };
}

/** Returns an account in the format of Supabase Auth, with the fields that auth-js and the desk read. */
export function userOf(account: Account) {
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    email_confirmed_at: account.created_at.toISOString(),
    phone: '',
    ...(account.last_sign_in_at && { last_sign_in_at: account.last_sign_in_at.toISOString() }),
    app_metadata: {
      provider: 'email',
      providers: ['email'],
      role: account.role,
      name: account.name,
      supervisor: account.supervisor,
      ...(account.factor_optional && { second_factor: 'optional' }),
    },
    // On a hosted project a colleague may change `user_metadata`, so that one request changes the password and turns
    // `must_change` off.
    user_metadata: { must_change: account.must_change },
    identities: [],
    ...(account.factors.length > 0 && { factors: account.factors }),
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
    is_anonymous: false,
  };
}

/** Normalises a typed e-mail, and replaces characters that PostgreSQL refuses. */
export function readEmail(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .slice(0, 320);
}
