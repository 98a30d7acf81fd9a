import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { findOnPath } from '../../build/on-path.ts';
import { databaseFolderIn } from '../database/data-directory.ts';
import { NEW_DATABASE, requireSpace, RESERVE } from '../database/disk-space.ts';
import { nodeWarning } from '../node-version.ts';
import { plainFetch } from '../plain-fetch.ts';
import {
  CADDYFILE,
  caddySite,
  SETTINGS,
  settingsFile,
  UNIT,
  unitFile,
  USER,
  type Installation,
} from '../service/files.ts';
import { OperatorError } from '../language.ts';
import {
  FLAG,
  messageOf,
  parseOptions,
  print,
  printBeside,
  printData,
  runCommand,
  TEXT,
  UsageError,
} from './command.ts';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';

const HELP = {
  es: `aeropuente install [opciones]

Instala AeroPuente como servicio de esta máquina, detrás de Caddy con HTTPS: un usuario propio, sus ajustes, una unidad
de systemd que sólo escribe sus datos, un archivo que Caddy importa y la orden "aeropuente". Arranca los dos y comprueba
que el sitio responda. Para una versión más nueva, dé la orden desde su carpeta.

  --domain <nombre>    nombre con que se publica el sitio; si falta, el de VITE_SITE_URL
  --data <carpeta>     donde se guardan las cotizaciones (/var/lib/aeropuente)
  --backups <carpeta>  donde el servidor hace respaldos, en otro disco; debe existir
  --port <número>      donde Caddy encuentra al servidor (4173)
  --memory <cantidad>  memoria que puede ocupar como máximo (2G)
  --print              muestra lo que escribiría y haría, sin tocar nada
  --root <carpeta>     escribe los archivos debajo de esa carpeta, para una imagen, y no arranca nada
  --help               esta página`,
  en: `aeropuente install [options]

Installs AeroPuente as a service of this machine, behind Caddy with HTTPS: a user of its own, its settings, a systemd
unit that may write only its data, a file for Caddy to import and the command "aeropuente". Starts both and checks that
the site answers. To install a newer release, run the command from its folder.

  --domain <name>      name under which the site is published; default: that of VITE_SITE_URL
  --data <folder>      where the quotes are stored (/var/lib/aeropuente)
  --backups <folder>   where the server makes backups, on another disk; it must exist
  --port <number>      where Caddy finds the server (4173)
  --memory <amount>    most memory that it may take (2G)
  --print              shows what it would write and do, without touching anything
  --root <folder>      writes the files below this folder, for an image, and starts nothing
  --help               this page`,
};

/** Main Caddyfile of the machine. It imports the Caddyfile of the site. */
const CADDY = '/etc/caddy/Caddyfile';
const CADDY_SITE = '/etc/caddy/aeropuente.caddy';
const COMMAND = '/usr/local/bin/aeropuente';
/**
 * Content of the Caddyfile in Debian's package, without comments. A Caddyfile with other content belongs to the
 * operator.
 */
const AS_PACKAGED = ':80 { root * /usr/share/caddy file_server }';
/**
 * Folders that the release and the data must not be in: systemd hides them from the service, or a reboot empties them.
 */
const HIDDEN = ['/root', '/home', '/run/user', '/tmp', '/var/tmp'];
const START_TIMEOUT = 60_000;

interface File {
  readonly place: string;
  readonly content: string;
  readonly mode: number;
}

async function run(): Promise<void> {
  const { values } = parseOptions({
    options: {
      domain: TEXT,
      data: TEXT,
      backups: TEXT,
      port: TEXT,
      memory: TEXT,
      print: FLAG,
      root: TEXT,
      package: FLAG,
      help: FLAG,
    },
  });
  if (values.help) return print(HELP);
  const root = values.root && path.resolve(values.root);
  const installation = withExistingSettings(
    {
      // The Debian package may be installed before the operator has chosen a domain: the domain then stays empty.
      domain: values.package && !process.env['VITE_SITE_URL'] ? '' : domainOf(values.domain),
      folder: process.cwd(),
      node: process.execPath,
      user: USER,
      dataDir: absolute('--data', values.data ?? '/var/lib/aeropuente'),
      backupDir: values.backups && absolute('--backups', values.backups),
      port: portOf(values.port ?? '4173'),
      memory: memoryOf(values.memory ?? memoryIn(path.join(root ?? '/', UNIT)) ?? '2G'),
    },
    values,
    path.join(root ?? '/', SETTINGS),
  );
  const files = filesOf(installation);
  const warning = nodeWarning();
  if (warning) printBeside(warning);
  if (values.package) return installPackage(installation);
  if (values.print) return showPlan(files, installation);
  if (!existsSync('dist/index.html'))
    throw new OperatorError({
      es: 'Aquí no hay un sitio construido: desempaque una versión, o corra "npm run build".',
      en: 'There is no built site here: unpack a release, or run "npm run build".',
    });
  if (root) return stage(files, root, installation);
  requireMachine(installation);
  await requirePort(installation.port);
  await install(files, installation);
}

function domainOf(option: string | undefined): string {
  const published = process.env['VITE_SITE_URL'];
  const domain = option ?? (published && URL.canParse(published) ? new URL(published).host : '');
  if (!domain)
    throw new UsageError({
      es: 'Falta el nombre con que se publica el sitio: --domain cotiza.ejemplo.mx, o una versión construida con VITE_SITE_URL.',
      en: 'The name of the published site is missing: --domain cotiza.ejemplo.mx, or a release built with VITE_SITE_URL.',
    });
  if (!/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/.test(domain))
    throw new UsageError({
      es: `"${domain}" no es el nombre de un sitio. Se escribe como cotiza.ejemplo.mx, sin https:// ni puerto.`,
      en: `"${domain}" is not the name of a site. It is written like cotiza.ejemplo.mx, without https:// and port.`,
    });
  return domain;
}

const wrongValue = (option: string, rule: Bilingual, value: string) =>
  new UsageError({
    es: `${option} debe ser ${mainWords(rule)}; es "${value}".`,
    en: `${option} must be ${englishWords(rule)}; it is "${value}".`,
  });

function absolute(option: string, folder: string): string {
  if (path.isAbsolute(folder) && !/["\n%\\]/.test(folder)) return path.resolve(folder);
  const example = '/var/lib/aeropuente';
  throw wrongValue(option, { es: `una ruta completa como ${example}`, en: `a full path such as ${example}` }, folder);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 1023 && port < 65_536) return port;
  throw wrongValue('--port', { es: 'un número entero de 1024 a 65535', en: 'a whole number from 1024 to 65535' }, text);
}

/** Returns the memory limit of the current installation, which must not change with an upgrade. */
function memoryIn(unit: string): string | undefined {
  return existsSync(unit) ? /^MemoryMax=(\S+)$/m.exec(readFileSync(unit, 'utf8'))?.[1] : undefined;
}

function memoryOf(text: string): string {
  if (/^[1-9]\d*[MG]$/.test(text)) return text;
  throw wrongValue('--memory', { es: 'una cantidad como 1500M o 2G', en: 'an amount such as 1500M or 2G' }, text);
}

/**
 * Applies the settings file of an earlier installation, which belongs to the operator and is never changed. Throws if
 * an option contradicts it.
 */
function withExistingSettings(
  installation: Installation,
  options: { readonly port?: string; readonly data?: string; readonly backups?: string },
  file: string,
): Installation {
  if (!existsSync(file)) return installation;
  const settings = parseEnv(readFileSync(file, 'utf8'));
  const { PORT, DATA_DIR, BACKUP_DIR } = settings;
  for (const [option, name, wanted] of [
    ['port', 'PORT', String(installation.port)],
    ['data', 'DATA_DIR', installation.dataDir],
    ['backups', 'BACKUP_DIR', installation.backupDir],
  ] as const) {
    const present = settings[name] ?? '';
    const isSame = wanted === (present.startsWith('/') ? path.resolve(present) : present);
    if (options[option] === undefined || isSame) continue;
    throw new UsageError({
      es: `${file} no se cambia, y contiene ${name}=${present}: escriba ahí ${name}=${wanted} antes, o quite --${option}.`,
      en: `${file} is never changed, and contains ${name}=${present}: write ${name}=${wanted} there first, or leave out --${option}.`,
    });
  }
  return {
    ...installation,
    port: PORT ? Number(PORT) : installation.port,
    dataDir: DATA_DIR || installation.dataDir,
    backupDir: BACKUP_DIR || installation.backupDir,
  };
}

function filesOf(installation: Installation): File[] {
  return [
    { place: SETTINGS, content: settingsFile(installation), mode: 0o640 },
    { place: UNIT, content: unitFile(installation), mode: 0o644 },
    ...caddyFiles(installation),
  ];
}

const caddyFiles = (installation: Installation): File[] => [
  { place: CADDY_SITE, content: caddySite(installation, caddyVersion()), mode: 0o644 },
  { place: CADDY, content: CADDYFILE, mode: 0o644 },
];

/** Version of the installed Caddy, such as `2.6.2` or `v2.10.2 h1:…`; a recent one if none is installed. */
function caddyVersion(): string {
  return findOnPath('caddy') ? spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout : '2.10';
}

function showPlan(files: readonly File[], installation: Installation): void {
  for (const { place, content } of files) printData(`--- ${place}\n${content}`);
  print({ es: '--- y después', en: '--- and then' });
  for (const command of allCommands(installation)) printData(asShell(command));
}

const asShell = (command: readonly string[]) =>
  command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');

/** Commands of an installation. `--print` shows them together with the files. */
function commandsOf({ dataDir, backupDir, folder }: Installation) {
  return {
    // The service's user has no home folder, because tools would log commands there, and commands contain personal
    // data.
    makeUser: [
      'useradd',
      '--system',
      '--user-group',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      USER,
    ],
    own: [
      ['install', '-d', '-m', '0700', '-o', USER, '-g', USER, dataDir],
      // npm of earlier releases logged commands here, with personal data.
      ['rm', '-rf', path.join(dataDir, '.npm')],
      ['chown', '-R', `${USER}:${USER}`, dataDir],
      ...(backupDir ? [['chown', `${USER}:${USER}`, backupDir]] : []),
      ['chown', `root:${USER}`, SETTINGS],
    ],
    links: [
      // The service and the commands read `.env` in the folder of the release, so `.env` links to the settings.
      ['ln', '-sfn', SETTINGS, path.join(folder, '.env')],
      ['ln', '-sfn', path.join(folder, 'bin/aeropuente'), COMMAND],
    ],
    start: [
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', 'aeropuente'],
      ['systemctl', 'restart', 'aeropuente'],
    ],
    startCaddy: [
      ['systemctl', 'enable', 'caddy'],
      ['systemctl', 'reload-or-restart', 'caddy'],
    ],
  };
}

function allCommands(installation: Installation): string[][] {
  const { makeUser, own, links, start, startCaddy } = commandsOf(installation);
  return [makeUser, ...own, ...links, ...start, ...startCaddy];
}

function requireMachine({ folder, node, dataDir, backupDir }: Installation): void {
  if (process.getuid?.() !== 0)
    throw new OperatorError({
      es: 'Sólo root puede instalar: "su -" y repita la orden. "--print" muestra lo que haría.',
      en: 'Only root can install: "su -" and run it again. "--print" shows what it would do.',
    });
  if (!existsSync('/run/systemd/system'))
    throw new OperatorError({
      es: 'Esta máquina no usa systemd. "--print" muestra la unidad y el Caddyfile, para adaptarlos.',
      en: 'This machine does not run systemd. "--print" shows the unit and the Caddyfile, to adapt them.',
    });
  if (!findOnPath('caddy'))
    throw new OperatorError({
      es: 'Falta Caddy: apt-get install caddy',
      en: 'Caddy is missing: apt-get install caddy',
    });
  const isHidden = (place: string) => HIDDEN.some((hidden) => place.startsWith(`${hidden}/`));
  for (const place of [folder, node])
    if (isHidden(place))
      throw new OperatorError({
        es: `El servicio no puede ver ${place}: desempaque la versión en /opt, y use un Node que no esté en un /home.`,
        en: `The service cannot see ${place}: unpack the release below /opt, and use a Node that is not in a home.`,
      });
  for (const place of [dataDir, backupDir ?? dataDir])
    if (isHidden(place))
      throw new OperatorError({
        es: `El servicio no puede ver ${place}: elija una carpeta como /var/lib/aeropuente.`,
        en: `The service cannot see ${place}: choose one such as /var/lib/aeropuente.`,
      });
  if (lstatSync('.env', { throwIfNoEntry: false })?.isSymbolicLink() === false)
    throw new OperatorError({
      es: `Aquí hay un .env: pase sus ajustes a ${SETTINGS} y bórrelo.`,
      en: `There is an .env here: move its settings to ${SETTINGS} and delete it.`,
    });
  // A data folder that does not exist yet is assumed to be on the disk of `/`.
  requireSpace(existsSync(dataDir) ? dataDir : '/', RESERVE + NEW_DATABASE);
  if (backupDir && !existsSync(backupDir))
    throw new OperatorError({
      es: `No existe la carpeta de los respaldos: ${backupDir}`,
      en: `The folder for backups does not exist: ${backupDir}`,
    });
}

/** Throws if another program uses the port. If the installed service is running, the port is its own. */
async function requirePort(port: number): Promise<void> {
  if (spawnSync('systemctl', ['is-active', '--quiet', 'aeropuente']).status === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', () =>
      reject(
        new OperatorError({
          es: `Otro programa usa el puerto ${port}: elija otro con --port, o detenga el programa (ss -ltnp lo muestra).`,
          en: `Another program uses port ${port}: choose another port with --port, or stop the program (ss -ltnp shows it).`,
        }),
      ),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}

function stage(files: readonly File[], root: string, installation: Installation): void {
  for (const file of files) write(file, root);
  verify(root);
  print({
    es: `Se escribió debajo de ${root}. En esa máquina falta ejecutar:`,
    en: `Written below ${root}. To run on that machine:`,
  });
  for (const command of allCommands(installation)) printData(`  ${asShell(command)}`);
}

async function install(files: readonly File[], installation: Installation): Promise<void> {
  const { domain } = installation;
  const { makeUser, own, links, startCaddy } = commandsOf(installation);
  for (const file of files) write(file, '/');
  if (spawnSync('id', ['-u', USER]).status !== 0) runAsRoot(makeUser);
  for (const command of [...own, ...links]) runAsRoot(command);
  requireReadable(installation);
  verify('/');
  await startService(installation);
  for (const command of startCaddy) runAsRoot(command);
  await waitUntilHealthy(`https://${domain}/healthz`, () => ({
    es: `journalctl -u caddy -n 20, y si ${domain} apunta a esta máquina (puertos 80 y 443)`,
    en: `journalctl -u caddy -n 20, and whether ${domain} points to this machine (ports 80 and 443)`,
  }));
  print({ es: `https://${domain} responde bien.`, en: `https://${domain} answers.` });
}

async function startService(installation: Installation): Promise<void> {
  const { dataDir, port } = installation;
  if (!existsSync(databaseFolderIn(dataDir)))
    print({
      es: 'El primer arranque crea la base de datos: tarda hasta medio minuto.',
      en: 'The first start creates the database: up to half a minute.',
    });
  for (const command of commandsOf(installation).start) runAsRoot(command);
  await waitUntilHealthy(`http://127.0.0.1:${port}/healthz`, () => ({
    es: `aeropuente logs. Las últimas líneas:\n${lastLines()}`,
    en: `aeropuente logs. The last lines:\n${lastLines()}`,
  }));
  print({
    es: `AeroPuente responde en 127.0.0.1:${port}, guarda las cotizaciones en ${dataDir} y arranca con la máquina.`,
    en: `AeroPuente answers at 127.0.0.1:${port}, stores quotes in ${dataDir}, and starts with the machine.`,
  });
}

/**
 * Files of an earlier installation that was made from an archive. The machine would use them instead of the package's
 * files, so they are removed.
 */
const OF_ARCHIVE = [UNIT, COMMAND];

/** Completes an installation of the Debian package, which already has unit, command and settings. */
async function installPackage(installation: Installation): Promise<void> {
  const { backupDir, domain } = installation;
  const { makeUser, own, startCaddy } = commandsOf(installation);
  for (const file of OF_ARCHIVE) rmSync(file, { force: true });
  if (domain) for (const file of caddyFiles(installation)) write(file, '/');
  if (spawnSync('id', ['-u', USER]).status !== 0) runAsRoot(makeUser);
  if (backupDir) mkdirSync(backupDir, { recursive: true, mode: 0o700 });
  for (const command of own) runAsRoot(command);
  if (!existsSync('/run/systemd/system'))
    return print({
      es: 'Aquí no corre systemd: arranque usted el servicio.',
      en: 'systemd does not run here: start the service yourself.',
    });
  try {
    await startService(installation);
    if (domain && findOnPath('caddy')) for (const command of startCaddy) runAsRoot(command);
  } catch (error) {
    // A failed start is only printed. The package itself is installed, so the installation does not fail.
    printData(messageOf(error));
  }
  print({
    es: 'Para ver si todo está bien: aeropuente doctor',
    en: 'To see whether all is well: aeropuente doctor',
  });
}

/** Writes a file, but never replaces settings or a changed Caddyfile, which belong to the operator. */
function write({ place, content, mode }: File, root: string): void {
  const file = path.join(root, place);
  const isOperators = existsSync(file) && (place === SETTINGS || (place === CADDY && !isAsPackaged(file)));
  if (isOperators) {
    print({ es: `${file} no se cambia.`, en: `${file} is not changed.` });
    if (place === CADDY && !/^\s*import\s+\S*(aeropuente\.caddy|\*\.caddy)/m.test(readFileSync(file, 'utf8')))
      print({
        es: `Agréguele esta línea, sin la que Caddy no sirve AeroPuente: import ${path.basename(CADDY_SITE)}`,
        en: `Add this line to it, without which Caddy does not serve AeroPuente: import ${path.basename(CADDY_SITE)}`,
      });
    return;
  }
  // Modes are set explicitly, because a strict umask of the operator would make the settings unreadable for the
  // service.
  const made = mkdirSync(path.dirname(file), { recursive: true });
  if (made) chmodSync(path.dirname(file), 0o755);
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  print({ es: `Se escribió ${file}.`, en: `${file} is written.` });
}

/** True if a Caddyfile is Debian's own, or empty. */
function isAsPackaged(file: string): boolean {
  const content = readFileSync(file, 'utf8')
    .replaceAll(/^\s*#.*$/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ');
  return content === '' || content === AS_PACKAGED;
}

function requireReadable({ folder, node, user }: Installation): void {
  for (const file of [path.join(folder, 'server/main.ts'), node, SETTINGS]) {
    const { status } = spawnSync('runuser', ['-u', user, '--', 'test', '-r', file]);
    const cure = file === SETTINGS ? `chmod a+rx ${path.dirname(SETTINGS)}` : `chmod -R a+rX ${folder}`;
    if (status !== 0)
      throw new OperatorError({
        es: `El usuario ${user} no puede leer ${file}: ${cure}`,
        en: `The user ${user} cannot read ${file}: ${cure}`,
      });
  }
}

/** Lets systemd and Caddy verify the written files, if these programs are installed. */
function verify(root: string): void {
  const unit = path.join(root, UNIT);
  const config = path.join(root, CADDY);
  if (findOnPath('systemd-analyze')) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // systemd-analyze only warns about unknown keys, so its warnings are read too.
    const wrong = stderr
      .split('\n')
      .filter((line) => line.includes('aeropuente.service') && /ignoring|fail|invalid/i.test(line));
    if (status !== 0 || wrong.length > 0)
      throw new OperatorError({
        es: `systemd no acepta ${unit}: ${wrong.join(' ') || stderr}`,
        en: `systemd does not accept ${unit}: ${wrong.join(' ') || stderr}`,
      });
    print({ es: `systemd acepta ${unit}.`, en: `systemd accepts ${unit}.` });
  }
  if (findOnPath('caddy')) {
    const parameters = ['validate', '--adapter', 'caddyfile', '--config', config];
    const { status, stderr } = spawnSync('caddy', parameters, { encoding: 'utf8' });
    if (status !== 0)
      throw new OperatorError({
        es: `Caddy no acepta ${config}: ${stderr}`,
        en: `Caddy does not accept ${config}: ${stderr}`,
      });
    print({ es: `Caddy acepta ${config}.`, en: `Caddy accepts ${config}.` });
  }
}

function runAsRoot([command, ...parameters]: string[]): void {
  const { status, stderr, error } = spawnSync(command!, parameters, { encoding: 'utf8' });
  const reason = error?.message ?? stderr;
  const line = [command, ...parameters].join(' ');
  if (status !== 0) throw new OperatorError({ es: `"${line}" falló: ${reason}`, en: `"${line}" failed: ${reason}` });
}

function lastLines(): string {
  const parameters = ['--unit=aeropuente', '--output=cat', '--lines=5', '--no-pager'];
  return spawnSync('journalctl', parameters, { encoding: 'utf8' }).stdout ?? '';
}

async function waitUntilHealthy(address: string, whereToLook: () => Bilingual): Promise<void> {
  const until = Date.now() + START_TIMEOUT;
  let why = '';
  while (Date.now() < until) {
    try {
      const { status } = await plainFetch(address, { signal: AbortSignal.timeout(10_000) });
      if (status === 200) return;
      why = `HTTP ${status}`;
    } catch (error) {
      why = messageOf(error);
    }
    await wait(1000);
  }
  const hint = whereToLook();
  throw new OperatorError({
    es: `${address} no responde bien después de un minuto (${why}). Revise: ${mainWords(hint)}`,
    en: `${address} does not answer well after a minute (${why}). Check: ${englishWords(hint)}`,
  });
}

await runCommand(run);
