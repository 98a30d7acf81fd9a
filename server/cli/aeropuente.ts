import { spawnSync } from 'node:child_process';
import { localize } from '../language.ts';
import { becomeService } from './operator.ts';
import { aligned, runCommand, UsageError } from './command.ts';

// `aeropuente <command>`: what an operator types, in whatever folder, as root or as the service's user.

interface Command {
  readonly says: { readonly es: string; readonly en: string };
  /** The module runs when it is imported. */
  readonly load: () => Promise<unknown>;
  /** A command about the machine, not about the data. */
  readonly asRoot?: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  quotes: {
    says: { es: 'ver, responder, bloquear y borrar cotizaciones', en: 'list, answer, block and erase quotes' },
    load: () => import('./quotes.ts'),
  },
  staff: {
    says: { es: 'cuentas de quienes atienden', en: 'accounts of those who answer' },
    load: () => import('./staff.ts'),
  },
  personas: {
    says: { es: 'lo que una persona pide de sus datos', en: 'what a person asks of their data' },
    load: () => import('./personas.ts'),
  },
  alerts: {
    says: { es: 'estado y prueba de los avisos', en: 'state and test of the alerts' },
    load: () => import('./alerts.ts'),
  },
  backup: {
    says: { es: 'un respaldo ahora', en: 'a backup now' },
    load: () => import('./backup.ts'),
  },
  restore: {
    says: { es: 'recuperar un respaldo, o probarlo', en: 'bring back a backup, or try it' },
    load: () => import('./backup.ts'),
  },
  upgrade: {
    says: { es: 'pasar los datos a esta versión, y volver', en: 'bring the data to this release, and back' },
    load: () => import('./upgrade.ts'),
  },
  doctor: {
    says: { es: 'examina la máquina, y dice qué hacer', en: 'examines the machine, and says what to do' },
    load: () => import('./doctor.ts'),
  },
  install: {
    says: { es: 'poner esta versión en servicio', en: 'put this release into service' },
    load: () => import('./install-service.ts'),
    asRoot: true,
  },
  logs: {
    says: { es: 'el registro del servicio', en: 'the log of the service' },
    load: async () => showLog(process.argv.slice(2)),
    asRoot: true,
  },
};

const HELP = () =>
  `${localize({ es: 'aeropuente <orden> [opciones]', en: 'aeropuente <command> [options]' })}\n\n` +
  aligned(Object.entries(COMMANDS).map(([name, { says }]) => [`  ${name}`, localize(says)])) +
  `\n${localize({ es: 'aeropuente <orden> --help dice más.', en: 'aeropuente <command> --help says more.' })}\n`;

/** The last lines, or with --follow each new one as well; all else is for journalctl. */
function showLog(words: readonly string[]): void {
  const usual = words.some((word) => /^(-n|--lines|-S|--since)/.test(word)) ? [] : ['--lines=50'];
  const parameters = ['--unit=aeropuente', '--output=cat', ...usual, ...words];
  const { status, error } = spawnSync('journalctl', parameters, { stdio: 'inherit' });
  if (error)
    throw new Error(
      localize({ es: `No se pudo leer: ${error.message}`, en: `It could not be read: ${error.message}` }),
    );
  process.exitCode = status ?? 1;
}

await runCommand(async () => {
  const [name = '', ...words] = process.argv.slice(2);
  if (['', 'help', '--help', '-h'].includes(name)) return void process.stdout.write(HELP());
  const command = COMMANDS[name];
  if (!command)
    throw new UsageError(
      `${localize({ es: `No hay una orden "${name}".`, en: `There is no command "${name}".` })}\n\n${HELP()}`.trimEnd(),
    );
  // A backup and what brings it back are one module.
  const isBackup = name === 'backup' || name === 'restore';
  process.argv.splice(2, process.argv.length, ...(isBackup ? [name] : []), ...words);
  if (!command.asRoot) becomeService();
  await command.load();
});
