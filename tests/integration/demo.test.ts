import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import type { LeadRow as Lead } from '../../src/lead/rows.ts';
import { runProcess, Script, temporaryDirectory } from './processes.ts';

const MINUTE = 60_000;

test('`npm run demo` starts a desk with sample leads, and leaves no files behind', async () => {
  const folder = temporaryDirectory();
  // The demo must ignore the settings of a server that is in use.
  const backups = temporaryDirectory();
  const real = `aeropuente-${new Date().toISOString().slice(0, 10)}T000000.tar.gz`;
  writeFileSync(path.join(backups, real), 'of the morning');
  const served = {
    BACKUP_DIR: backups,
    BACKUP_EVERY: '1h',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'v@ejemplo.mx',
    IMAP_URL: 'imaps://v:x@127.0.0.1:1',
    WHATSAPP_TOKEN: 'x',
    WHATSAPP_PHONE_ID: '1',
    WHATSAPP_APP_SECRET: 'x',
    WHATSAPP_VERIFY_TOKEN: 'x'.repeat(16),
  };
  const demo = new Script('demo', { PORT: '0', TMPDIR: folder, ...served });
  const [, site] = await demo.says(/^Site: (\S+)$/m);
  const [, desk] = await demo.says(/^Desk: (\S+)$/m);
  const [, email, password] = await demo.says(/E-mail: (ana\S+) {2}Password: (\S+)/);
  expect(await (await fetch(site!)).text()).toContain('reservar-espacio');
  expect((await fetch(desk!)).status).toBe(200);

  const client = createClient(new URL(site!).origin, 'aeropuente-public', { auth: { persistSession: false } });
  const { data, error } = await client.auth.signInWithPassword({ email: email!, password: password! });
  expect(error).toBe(null);
  // The account of the demo need not change its password, so the list appears right after the sign-in.
  expect(data.user!.user_metadata).toMatchObject({ must_change: false });
  const { data: leads } = await client.from('desk_leads').select('*').overrideTypes<Lead[], { merge: false }>();
  expect(leads).toHaveLength(37);
  const left = (lead: Lead) => (Date.parse(lead.due_at) - Date.now()) / MINUTE;
  const kinds: Record<string, (lead: Lead) => boolean> = {
    fresh: (lead) => lead.status === 'nueva' && left(lead) > 30,
    'nearly late': (lead) => lead.open && left(lead) > 0 && left(lead) <= 30,
    late: (lead) => lead.open && left(lead) <= 0,
    taken: ({ status }) => status === 'tomada',
    answered: ({ status, open }) => status === 'respondida' && !open,
    seen: ({ seen_at }) => seen_at !== null,
    replied: ({ reply_waiting }) => reply_waiting,
    won: ({ status }) => status === 'ganada',
    lost: ({ status }) => status === 'perdida',
    corrected: ({ replaced_by }) => replaced_by !== null,
  };
  for (const [kind, is] of Object.entries(kinds)) expect(leads!.filter(is).length, kind).toBeGreaterThan(0);
  for (const lead of leads!) {
    expect(lead.email).toMatch(/^[a-z]+@[a-z-]+\.example$/);
    expect(lead.telefono).toMatch(/^\+52 \d{3} 555 01\d\d$/);
  }
  const { data: accepted } = await client.from('quote_replies').select('quote_id').eq('kind', 'aceptada');
  expect(accepted!.length).toBeGreaterThan(0);

  expect(await demo.end('SIGTERM')).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(backups)).toEqual([real]);
  expect(demo.output).not.toMatch(/^alert .* mail /m);
});

test('`npm run demo` does not start with a hosted project, and names the variable to unset', async () => {
  const folder = temporaryDirectory();
  const hosted = await runProcess('demo', { VITE_SUPABASE_URL: 'https://abcd.supabase.co', TMPDIR: folder });
  expect(hosted).toMatchObject({ code: 1, errors: expect.stringContaining('Unset VITE_SUPABASE_URL') });
  expect(readdirSync(folder)).toEqual([]);
});

test('`npm run demo` leaves no files behind if it is stopped during its start', async () => {
  const folder = temporaryDirectory();
  const demo = new Script('demo', { PORT: '0', TMPDIR: folder });
  await demo.says(/sample leads/);
  expect(await demo.end('SIGTERM')).toBe(0);
  expect(demo.errors).toBe('');
  expect(readdirSync(folder)).toEqual([]);
});
