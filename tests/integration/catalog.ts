import type { Session } from './engines.ts';

const SCHEMAS = `('public', 'private')`;
const NAMES = `select c.oid, n.nspname || '.' || c.relname as name, c.relkind, c.relowner, c.relacl, c.relrowsecurity,
    c.relforcerowsecurity, c.reloptions
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace where n.nspname in ${SCHEMAS}`;
const grants = (acl: string, kind: string, owner: string) =>
  `aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) as grants`;
const GRANTED = `coalesce(nullif(grants.grantee, 0)::regrole::text, 'public') || ' ' || grants.privilege_type`;

/** Queries that describe the schema of a database. Two databases with the same schema give equal rows. */
const PARTS: Readonly<Record<string, string>> = {
  schema: `select nspname as name, '' as definition from pg_namespace where nspname in ${SCHEMAS} or nspname = 'extensions'`,
  extension: `select extname as name, nspname as definition from pg_extension join pg_namespace as n on n.oid = extnamespace`,
  'grant on schema': `select nspname || ' to ' || ${GRANTED} as name, '' as definition
    from pg_namespace, ${grants('nspacl', 'n', 'nspowner')} where nspname in ${SCHEMAS}`,
  table: `select name, concat_ws(' ', relkind, relrowsecurity, relforcerowsecurity, reloptions) as definition
    from (${NAMES}) as r where relkind <> 'i'`,
  column: `select r.name || '.' || attname as name, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity,
      attgenerated, attstorage, pg_get_expr(adbin, adrelid)) as definition
    from (${NAMES}) as r join pg_attribute as a on a.attrelid = r.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = r.oid and adnum = attnum where relkind in ('r', 'v')`,
  constraint: `select r.name || '.' || conname as name, pg_get_constraintdef(k.oid) as definition
    from (${NAMES}) as r join pg_constraint as k on k.conrelid = r.oid`,
  index: `select r.name, pg_get_indexdef(r.oid) as definition from (${NAMES}) as r where relkind = 'i'`,
  view: `select r.name, pg_get_viewdef(r.oid) as definition from (${NAMES}) as r where relkind = 'v'`,
  function: `select f.oid::regprocedure::text as name, pg_get_functiondef(f.oid) as definition
    from pg_proc as f join pg_namespace as n on n.oid = f.pronamespace where nspname in ${SCHEMAS}`,
  trigger: `select r.name || '.' || tgname as name, concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled) as definition
    from (${NAMES}) as r join pg_trigger as t on t.tgrelid = r.oid where not tgisinternal`,
  policy: `select schemaname || '.' || tablename || ' "' || policyname || '"' as name,
      concat_ws(' ', permissive, roles, cmd, 'using', qual, 'check', with_check) as definition
    from pg_policies where schemaname in ${SCHEMAS}`,
  'grant on table': `select name || ' to ' || ${GRANTED} as name, '' as definition
    from (${NAMES}) as r, ${grants('relacl', 'r', 'relowner')} where relkind in ('r', 'v')`,
  'grant on sequence': `select name || ' to ' || ${GRANTED} as name, '' as definition
    from (${NAMES}) as r, ${grants('relacl', 's', 'relowner')} where relkind = 'S'`,
  'grant on column': `select r.name || '.' || attname || ' to ' || ${GRANTED} as name, '' as definition
    from (${NAMES}) as r join pg_attribute as a on a.attrelid = r.oid and attacl is not null, aclexplode(attacl) as grants`,
  'grant on function': `select f.oid::regprocedure || ' to ' || ${GRANTED} as name, '' as definition
    from pg_proc as f join pg_namespace as n on n.oid = f.pronamespace, ${grants('proacl', 'f', 'proowner')}
    where nspname in ${SCHEMAS}`,
  comment: `select pg_describe_object(classoid, objoid, objsubid) as name, description as definition
    from pg_description where objoid >= 16384`,
};

/** Returns the definition of each table, column, function, grant and so on, and the rows of each table, by name. */
export async function catalogOf(session: Session): Promise<Map<string, string>> {
  const catalog = new Map<string, string>();
  for (const [kind, select] of Object.entries(PARTS))
    for (const { name, definition } of await session.query<{ name: string; definition: string }>(select))
      catalog.set(`${kind} ${name}`, definition);
  const tables = await session.query<{ name: string }>(`select name from (${NAMES}) as r where relkind = 'r'`);
  for (const { name } of tables) {
    const rows = await session.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} as t order by 1`);
    if (rows.length > 0) catalog.set(`rows of ${name}`, rows.map(({ row }) => row).join('\n'));
  }
  return catalog;
}

/** Returns a sentence for each difference between two schemas, such as `table x is missing in PGlite`. */
export function differences(
  [oneName, one]: readonly [name: string, catalog: ReadonlyMap<string, string>],
  [otherName, other]: readonly [name: string, catalog: ReadonlyMap<string, string>],
): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].toSorted().flatMap((name) => {
    const [mine, theirs] = [one.get(name), other.get(name)];
    if (mine === undefined) return [`${name} is missing in ${oneName}`];
    if (theirs === undefined) return [`${name} is missing in ${otherName}`];
    return mine === theirs ? [] : [`${name} differs:\n${oneName}: ${mine}\n${otherName}: ${theirs}`];
  });
}
