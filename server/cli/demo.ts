import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { alertSettings } from '../alerts/settings.ts';
import { announcedAddress } from '../database/data-directory.ts';
import { SAMPLE_STAFF, SAMPLES } from './sample-leads.ts';
import { readSettings } from '../settings.ts';
import { storeSamples } from './store-samples.ts';
import { OperatorError } from '../language.ts';
import { FLAG, parseOptions, print, printData, runCommand } from './command.ts';

// `npm run demo`: `npm start` with sample leads, in a directory that is deleted at the end.

const HELP = {
  es: 'npm run demo   el sitio y la mesa de ventas con datos de muestra, que se borran al terminar. PORT: el puerto',
  en: 'npm run demo   the site and the desk with sample leads, which are deleted at the end. PORT: the port',
};

async function demonstrate(): Promise<void> {
  const { values } = parseOptions({ options: { help: FLAG } });
  if (values.help) return print(HELP);
  if (readSettings(process.env).hosted)
    throw new OperatorError({
      es: 'La demostración guarda sus cotizaciones en una carpeta propia. Quite VITE_SUPABASE_URL, también de .env.',
      en: 'The demo stores its quotes in a directory of its own. Unset VITE_SUPABASE_URL, also in .env.',
    });
  const dataDir = mkdtempSync(path.join(tmpdir(), 'aeropuente-demo-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const leave = () => process.exit(0);
  for (const signal of SIGNALS) process.once(signal, leave);

  print({
    es: `Se guardan ${SAMPLES.length} solicitudes de muestra (unos segundos) …`,
    en: `Writing ${SAMPLES.length} sample leads (a few seconds) …`,
  });
  const passwords = await storeSamples(dataDir, new Date());
  process.env['DATA_DIR'] = dataDir;
  // The demo must not use the settings for real quotes, such as those of backups and mail.
  for (const name of SETTINGS_OF_REAL_QUOTES) process.env[name] = '';
  // From here on the server reacts to Ctrl+C and SIGTERM, so the demo's own listeners are removed.
  await import('../main.ts');
  for (const signal of SIGNALS) process.removeListener(signal, leave);

  const address = announcedAddress(dataDir)!;
  printData(`\nSite: ${address}/\nDesk: ${address}/mesa.html`);
  for (const [name, { email }] of Object.entries(SAMPLE_STAFF))
    printData(`  E-mail: ${email}  Password: ${passwords[name as keyof typeof passwords]}`);
  print({ es: 'Ctrl+C termina y borra todo.\n', en: 'Ctrl+C ends the demo and deletes everything.\n' });
}

const SETTINGS_OF_REAL_QUOTES = [
  'DATABASE_URL',
  'BACKUP_DIR',
  ...Object.keys(alertSettings.in.shape).filter((name) => !name.startsWith('VITE_')),
];
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

await runCommand(demonstrate);
