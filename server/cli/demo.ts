import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { announcedAddress } from '../database/data-directory.ts';
import { SAMPLE_STAFF, SAMPLES } from './sample-leads.ts';
import { readSettings } from '../settings.ts';
import { storeSamples } from './store-samples.ts';
import { FLAG, parseOptions, runCommand } from './command.ts';

// `npm run demo`: `npm start` over sample leads, in a directory that goes when it ends.

const HELP = `npm run demo   the site and the desk with sample leads, which go when it ends. PORT: where
`;

async function demonstrate(): Promise<void> {
  const { values } = parseOptions({ options: { help: FLAG } });
  if (values.help) return void process.stdout.write(HELP);
  if (readSettings(process.env).hosted)
    throw new Error('The demo keeps its quotes in a directory of its own. Unset VITE_SUPABASE_URL, also in .env.');
  const dataDir = mkdtempSync(path.join(tmpdir(), 'aeropuente-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const leave = () => process.exit(0);
  for (const signal of SIGNALS) process.once(signal, leave);

  console.log(`Writing ${SAMPLES.length} sample leads (a few seconds) …`);
  const passwords = await storeSamples(dataDir, new Date());
  process.env['DATA_DIR'] = dataDir;
  // Whatever is set for the quotes of this checkout: those of the demo are samples, no backup of the day and no mail.
  for (const name of OF_REAL_QUOTES) process.env[name] = '';
  // The server ends the process with a sentence where it cannot start, and by itself on a signal from then on.
  await import('../main.ts');
  for (const signal of SIGNALS) process.removeListener(signal, leave);

  const address = announcedAddress(dataDir)!;
  console.log(`\nSite: ${address}/\nDesk: ${address}/mesa.html`);
  for (const [name, { email }] of Object.entries(SAMPLE_STAFF))
    console.log(`  E-mail: ${email}  Password: ${passwords[name as keyof typeof passwords]}`);
  console.log('All of it is gone when this ends: Ctrl+C.\n');
}

const OF_REAL_QUOTES = ['DATABASE_URL', 'BACKUP_DIR', 'SMTP_URL', 'ALERT_MAIL'];
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

await runCommand(demonstrate);
