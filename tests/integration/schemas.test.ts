import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeMigration, schemaScript } from '../../build/migration.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { catalogOf, differences } from './catalog.ts';
import { ON_POSTGRES, pgliteEngine, postgresEngines, type Engine } from './engines.ts';
import { temporaryDirectory } from './processes.ts';

test('migrations and schema files create the same database', async () => {
  const open = async (migrations?: string): Promise<readonly Engine[]> =>
    ON_POSTGRES ? (await postgresEngines(migrations))! : [await pgliteEngine(migrations)];
  const folder = temporaryDirectory();
  writeFileSync(path.join(folder, '20260101000000_schemas.sql'), schemaScript());
  const [migrated, declared] = [await open(), await open(folder)];
  onTestFinished(async () => void (await Promise.all([...migrated, ...declared].map((engine) => engine.close()))));
  for (const [place, engine] of migrated.entries()) {
    const [one, other] = [await engine.transaction(catalogOf), await declared[place]!.transaction(catalogOf)];
    expect(one.size).toBeGreaterThan(1000);
    expect(differences(['supabase/migrations', one], ['supabase/schemas', other])).toEqual([]);
  }
});

test('migrations are never dated in the future', () => {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  expect(readdirSync(migrationsFolder).filter((file) => file.slice(0, 14) > now)).toEqual([]);
});

test('the migration command writes a baseline once, then empty dated migrations', () => {
  const [schemas, migrations] = [path.join(temporaryDirectory(), 'schemas'), path.join(temporaryDirectory(), 'made')];
  const make = (name: string | undefined, at: string) => makeMigration(name, new Date(at), { schemas, migrations });
  expect(() => make('baseline', '2027-01-01T00:00:00Z')).toThrow('There are no schemas in');
  mkdirSync(schemas);
  writeFileSync(path.join(schemas, '20_b.sql'), 'b;\n');
  writeFileSync(path.join(schemas, '10_a.sql'), 'a;\n');
  expect(() => make('add_port', '2027-01-01T00:00:00Z')).toThrow('write the first migration with "npm run migration');
  make('baseline', '2027-01-01T00:00:00Z');
  make('baseline', '2027-01-02T03:04:05Z');
  expect(readdirSync(migrations)).toEqual(['20270102030405_baseline.sql']);
  expect(readFileSync(path.join(migrations, '20270102030405_baseline.sql'), 'utf8')).toMatch(/^-- .*\n\na;\n\nb;\n$/);
  for (const name of [undefined, 'Add port', '../x'])
    expect(() => make(name, '2027-02-01T00:00:00Z')).toThrow(name ?? 'Name the migration');
  expect(make('add_port', '2027-02-01T00:00:00Z')).toContain('20270201000000_add_port.sql');
  expect(() => make('baseline', '2027-03-01T00:00:00Z')).toThrow('20270201000000_add_port.sql exists');
  expect(readdirSync(migrations)).toEqual(['20270102030405_baseline.sql', '20270201000000_add_port.sql']);
});
