import { expect, test } from 'vitest';
import { readPostgresAddress } from '../../server/database/address.ts';
import { unfitReason, type ServerFacts } from '../../server/database/postgres.ts';
import { readSettings } from '../../server/settings.ts';

test.each([
  'maria:secreta@host/quotes',
  'mysql://maria:secreta@localhost/quotes',
  'postgresql://maria:secreta@localhost',
  'postgresql://maria:secreta@localhost/',
])('the error explains why DATABASE_URL %s is refused, without repeating the URL', (given) => {
  expect(() => readSettings({ DATABASE_URL: given })).toThrow(
    /^DATABASE_URL must be the address of a PostgreSQL database/,
  );
  expect(() => readSettings({ DATABASE_URL: given })).not.toThrow(/secreta/);
});

test('a database on another machine needs sslmode, a database on this machine needs none', () => {
  for (const host of ['localhost/quotes', '127.0.0.1:5433/quotes', '[::1]/quotes', '/quotes?host=/run/postgresql'])
    expect(readPostgresAddress(`postgres://${host}`)).toMatchObject({ mode: 'disable' });
  const at = (query: string) => () => readPostgresAddress(`postgres://maria:secreta@db.example/quotes${query}`);
  expect(at('')).toThrow(/points to another machine.*sslmode/);
  expect(at('?sslmode=prefer')).toThrow('sslmode in DATABASE_URL must be one of verify-full, require, disable');
  expect(at('?sslmode=verify-full&sslrootcert=/not/there.pem')).toThrow('names a file that does not exist');
  for (const mode of ['verify-full', 'require', 'disable']) expect(at(`?sslmode=${mode}`)()).toMatchObject({ mode });
});

test('the name of a database in messages contains no user or password', () => {
  const { name } = readPostgresAddress('postgres://maria:secreta@db.example:5433/quotes?sslmode=disable');
  expect(name).toBe('db.example:5433/quotes');
});

test('the server refuses settings for both DATABASE_URL and hosted Supabase', () => {
  const both = { DATABASE_URL: 'postgres://localhost/quotes', VITE_SUPABASE_URL: 'https://abcd.supabase.co' };
  expect(() => readSettings(both)).toThrow('VITE_SUPABASE_URL and DATABASE_URL are both set');
});

const ABOUT = { version: 15, version_text: '15.18', owner: 'aeropuente', database: 'quotes' };
const FIT: ServerFacts = { ...ABOUT, standby: false, fsync: 'on', encoding: 'UTF8', may_create: true };

test.each<[Partial<ServerFacts>, RegExp]>([
  [{ version: 14, version_text: '14.20' }, /^It is PostgreSQL 14\.20; AeroPuente needs 15/],
  [{ standby: true }, /standby, which only reads/],
  [{ fsync: 'off' }, /fsync is off/],
  [{ encoding: 'LATIN1' }, /encoding LATIN1/],
  [{ may_create: false }, /alter database quotes owner to aeropuente;$/],
])('the error explains why a PostgreSQL server with %o is refused', (facts, sentence) => {
  expect(unfitReason(FIT)).toBeUndefined();
  expect(unfitReason({ ...FIT, ...facts })?.en).toMatch(sentence);
});
