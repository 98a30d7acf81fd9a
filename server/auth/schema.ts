import type { Statement } from '../database/database.ts';

/**
 * Schema of accounts, created at each start and not by a migration, because hosted projects have their own accounts. No
 * role of the API has a grant on it.
 */
export const AUTH_SCHEMA: Statement = {
  sql: `
    create schema if not exists private_auth;
    create table if not exists private_auth.accounts (
      id uuid primary key default gen_random_uuid(),
      email text not null unique,
      name text not null,
      role text not null default 'staff',
      password text not null,
      must_change boolean not null default true,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_sign_in_at timestamptz
    );
    -- counter: number of the refresh token that is valid now; refreshed_at: time when the previous token was used.
    create table if not exists private_auth.sessions (
      id uuid primary key,
      account uuid not null references private_auth.accounts on delete cascade,
      created_at timestamptz not null,
      refreshed_at timestamptz not null,
      counter integer not null default 0
    );
    alter table private_auth.accounts add column if not exists supervisor boolean not null default false;
    create index if not exists sessions_account on private_auth.sessions (account);`,
};
