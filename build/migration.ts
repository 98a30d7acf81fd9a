import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationsFolder } from '../server/database/migrate.ts';
import { inEnglish, runCommand, UsageError } from '../server/cli/command.ts';

const schemasFolder = fileURLToPath(new URL('../supabase/schemas', import.meta.url));

const USE = `npm run migration -- <name>     makes an empty migration, such as 20270101120000_add_port.sql
npm run migration -- baseline   writes supabase/schemas as the first migration, in place of an older baseline`;

export function schemaScript(folder = schemasFolder): string {
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.sql'))
        .toSorted()
    : [];
  if (files.length === 0) throw new Error(`There are no schemas in ${folder}.`);
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
}

export function makeMigration(
  name: string | undefined,
  now: Date,
  { schemas = schemasFolder, migrations = migrationsFolder } = {},
): string {
  if (!name) throw new UsageError(inEnglish(`Name the migration.\n${USE}`));
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new UsageError(
      inEnglish(
        `"${name}" cannot name a migration: use small letters, digits and _, such as add_port. Nothing was written.`,
      ),
    );
  const version = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const file = path.join(migrations, `${version}_${name}.sql`);
  if (name === 'baseline') {
    const script = schemaScript(schemas);
    mkdirSync(migrations, { recursive: true });
    const earlier = readdirSync(migrations).filter((each) => each.endsWith('.sql'));
    const [other] = earlier.filter((each, place) => place > 0 || !each.endsWith('_baseline.sql'));
    if (other)
      throw new Error(
        `${other} exists, and databases may have it: a baseline would leave them behind. Write the change as a migration instead.`,
      );
    for (const each of earlier) rmSync(path.join(migrations, each));
    const head =
      '-- Written from supabase/schemas by `npm run migration -- baseline`: change the schemas, not this file.\n\n';
    writeFileSync(file, head + script);
    return `${file} has all of supabase/schemas.`;
  }
  if (!existsSync(migrations))
    throw new Error(`${migrations} is missing: write the first migration with "npm run migration -- baseline".`);
  writeFileSync(file, '', { flag: 'wx' });
  return `Write the step from the previous database to supabase/schemas into ${file}; "npx vitest run schemas" names what is missing in either.`;
}

if (import.meta.main) await runCommand(async () => console.log(makeMigration(process.argv[2], new Date())));
