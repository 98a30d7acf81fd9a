import type { Statement } from '../database/database.ts';

/**
 * Tables of the accounts. Each start of the server creates the tables if they are missing. The migrations do not create
 * them, because hosted projects get the same migrations and have Supabase's own tables. No role of the API has a grant
 * on these tables.
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
    -- factor_optional: true for a supervisor who needs no second factor, as in the demo.
    alter table private_auth.accounts add column if not exists factor_optional boolean not null default false;
    -- method: the way by which the session reached aal2, null for aal1.
    alter table private_auth.sessions add column if not exists method text;
    alter table private_auth.sessions add column if not exists method_at timestamptz;
    alter table private_auth.sessions add column if not exists factor uuid;
    -- last_step: step of the last accepted TOTP code; codes: hashes of the unused recovery codes.
    create table if not exists private_auth.factors (
      id uuid primary key default gen_random_uuid(),
      account uuid not null references private_auth.accounts on delete cascade,
      factor_type text not null,
      friendly_name text not null,
      status text not null default 'unverified',
      secret text,
      last_step bigint,
      credential jsonb,
      codes text[],
      created_at timestamptz not null,
      updated_at timestamptz not null,
      last_challenged_at timestamptz,
      unique (account, friendly_name)
    );
    -- challenge: random bytes that a passkey signs, with the site; null for the code of an app.
    create table if not exists private_auth.challenges (
      id uuid primary key default gen_random_uuid(),
      factor uuid not null references private_auth.factors on delete cascade,
      created_at timestamptz not null,
      challenge jsonb
    );
    create index if not exists challenges_factor on private_auth.challenges (factor);
    -- A hosted project has a table of this name. private.has_factor() reads the table there, and this view here.
    create or replace view auth.mfa_factors as
      select id, account as user_id, friendly_name, factor_type, status, created_at, updated_at from private_auth.factors;
    revoke all on auth.mfa_factors from public, anon, authenticated, service_role;
    create index if not exists sessions_account on private_auth.sessions (account);`,
};
