export const AUTH_FUNCTIONS = new URL('auth-functions.sql', import.meta.url);

/** Roles of a hosted project. They belong to a whole PostgreSQL server, so another database may have created them. */
export const API_ROLES = ['anon', 'authenticated', 'service_role'] as const;

export const CREATE_MISSING_ROLES = `do $$ begin
  if to_regrole('anon') is null then create role anon nologin noinherit; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
  if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
end $$;
`;
