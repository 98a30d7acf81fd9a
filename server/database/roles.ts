/** Script with the functions of the schema `auth`, which a hosted project has. */
export const AUTH_FUNCTIONS = new URL('auth-functions.sql', import.meta.url);

/** Roles of a hosted project. They belong to a whole server, so that another of its databases may have made them. */
export const API_ROLES = ['anon', 'authenticated', 'service_role'] as const;

export const CREATE_MISSING_ROLES = `do $$ begin
  if to_regrole('anon') is null then create role anon nologin noinherit; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin noinherit; end if;
  if to_regrole('service_role') is null then create role service_role nologin noinherit bypassrls; end if;
end $$;
`;
