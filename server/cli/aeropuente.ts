import { spawnSync } from 'node:child_process';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { becomeService } from './operator.ts';
import { OperatorError } from '../language.ts';
import { aligned, print, runCommand, UsageError } from './command.ts';

// This file is the program `aeropuente <command>`, which runs from any folder, as root or as the service's user.

interface Command {
  readonly summary: Bilingual;
  /** Imports the module, which runs the command. */
  readonly load: () => Promise<unknown>;
  /**
   * True for commands that change the machine. All other commands only read or change data, so they run as the
   * service's user even if root calls them.
   */
  readonly asRoot?: boolean;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  quotes: {
    summary: { es: 'ver, responder, bloquear y borrar cotizaciones', en: 'list, answer, block and erase quotes' },
    load: () => import('./quotes.ts'),
  },
  staff: {
    summary: { es: 'cuentas del equipo de ventas', en: 'accounts of the sales team' },
    load: () => import('./staff.ts'),
  },
  personas: {
    summary: { es: 'solicitudes de una persona sobre sus datos', en: 'requests of a person about their data' },
    load: () => import('./personas.ts'),
  },
  alerts: {
    summary: { es: 'estado y prueba de los avisos', en: 'status and test of the alerts' },
    load: () => import('./alerts.ts'),
  },
  webhooks: {
    summary: { es: 'avisar a otros programas de cada solicitud', en: 'tell other programs about each quote' },
    load: () => import('./webhooks.ts'),
  },
  backup: {
    summary: { es: 'hacer un respaldo ahora', en: 'make a backup now' },
    load: () => import('./backup.ts'),
  },
  restore: {
    summary: { es: 'recuperar un respaldo, o probarlo', en: 'restore a backup, or try it' },
    load: () => import('./backup.ts'),
  },
  upgrade: {
    summary: {
      es: 'actualizar los datos a esta versión, o volver',
      en: 'upgrade the data to this release, or go back',
    },
    load: () => import('./upgrade.ts'),
  },
  doctor: {
    summary: { es: 'revisar la máquina y decir qué corregir', en: 'check the machine and say what to fix' },
    load: () => import('./doctor.ts'),
  },
  install: {
    summary: { es: 'poner esta versión en servicio', en: 'install this release as a service' },
    load: () => import('./install-service.ts'),
    asRoot: true,
  },
  logs: {
    summary: { es: 'el registro del servicio', en: 'log of the service' },
    load: async () => showLog(process.argv.slice(2)),
    asRoot: true,
  },
};

const HELP: Bilingual = {
  es: `aeropuente <orden> [opciones]\n\n${summaries(mainWords)}\naeropuente <orden> --help dice más.`,
  en: `aeropuente <command> [options]\n\n${summaries(englishWords)}\naeropuente <command> --help says more.`,
};

function summaries(wordsOf: (text: Bilingual) => string): string {
  return aligned(Object.entries(COMMANDS).map(([name, { summary }]) => [`  ${name}`, wordsOf(summary)]));
}

/** Shows the last lines of the service's log. Options such as --follow go to journalctl. */
function showLog(options: readonly string[]): void {
  const lines = options.some((option) => /^(-n|--lines|-S|--since)/.test(option)) ? [] : ['--lines=50'];
  const parameters = ['--unit=aeropuente', '--output=cat', ...lines, ...options];
  const { status, error } = spawnSync('journalctl', parameters, { stdio: 'inherit' });
  if (error)
    throw new OperatorError({
      es: `No se pudo leer el registro: ${error.message}`,
      en: `The log could not be read: ${error.message}`,
    });
  process.exitCode = status ?? 1;
}

await runCommand(async () => {
  const [name = '', ...options] = process.argv.slice(2);
  if (['', 'help', '--help', '-h'].includes(name)) return print(HELP);
  const command = Object.hasOwn(COMMANDS, name) && COMMANDS[name];
  if (!command)
    throw new UsageError({
      es: `No hay una orden "${name}".\n\n${mainWords(HELP)}`,
      en: `There is no command "${name}".\n\n${englishWords(HELP)}`,
    });
  // The same module runs backup and restore. Its first argument is the name of the command.
  const isBackup = name === 'backup' || name === 'restore';
  process.argv.splice(2, process.argv.length, ...(isBackup ? [name] : []), ...options);
  if (!command.asRoot) becomeService();
  await command.load();
});
