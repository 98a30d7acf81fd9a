/** What a hosted project has beside its roles. */
export const AUTH_FUNCTIONS = new URL('auth-functions.sql', import.meta.url);

/** Those of a hosted project, which belong to a whole server: another database of it may have made them. */
export const API_ROLES = ['anon', 'authenticated', 'service_role'] as const;

export const CREATE_MISSING_ROLES = `do $$ begin
  if to_regrole('anon') is null then create role anon nologin noinherit; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
  if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
end $$;
`;
