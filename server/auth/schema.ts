import type { Statement } from '../database/database.ts';

/**
 * Made at each start, and no migration: a hosted project has accounts of its own. No role of the API has a grant here,
 * and the REST interface knows no schema but `public`.
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
    -- The counter is that of the one refresh token that may be used next, refreshed_at when the one before it was.
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
