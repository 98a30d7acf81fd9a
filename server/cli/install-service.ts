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
import { localize } from '../language.ts';
import { FLAG, parseOptions, runCommand, TEXT, UsageError } from './command.ts';

const HELP = localize({
  es: `aeropuente install [opciones]

Hace de AeroPuente un servicio de esta máquina, detrás de Caddy con HTTPS: un usuario propio, sus ajustes, una unidad de
systemd que escribe sus datos y nada más, un archivo que Caddy importa, la orden "aeropuente"; arranca los dos y pregunta
por el sitio si está bien. Con una versión más nueva, désela desde su carpeta, y sirve ésa.

  --domain <nombre>    con que se publica el sitio; si no se dice, el de VITE_SITE_URL
  --data <carpeta>     donde se guardan las cotizaciones (/var/lib/aeropuente)
  --backups <carpeta>  donde se hacen solos los respaldos, en otro disco; debe existir
  --port <número>      donde Caddy encuentra al servidor (4173)
  --memory <cantidad>  lo más que puede ocupar (2G)
  --print              muestra lo que escribiría y haría, y no toca nada
  --root <carpeta>     escribe los archivos debajo de esa carpeta, para una imagen, y no arranca nada
  --help               esta página
`,
  en: `aeropuente install [options]

Makes AeroPuente a service of this machine, behind Caddy with HTTPS: a user of its own, its settings, a unit of systemd
that may write its data and nothing else, a Caddyfile, the command "aeropuente"; starts both and asks over the site whether it is well. Run it
again from the folder of a newer release, and that one serves.

  --domain <name>      under which the site is published; without, that of VITE_SITE_URL
  --data <folder>      where the quotes are kept (/var/lib/aeropuente)
  --backups <folder>   where backups make themselves, on another disk; it must be there
  --port <number>      where Caddy finds the server (4173)
  --memory <amount>    the most it may take (2G)
  --print              prints what it would write and do, and touches nothing
  --root <folder>      writes the files below this folder, for an image, and starts nothing
  --help               this page
`,
});

/** Caddyfile of the machine, which imports ours. */
const CADDY = '/etc/caddy/Caddyfile';
const CADDY_SITE = '/etc/caddy/aeropuente.caddy';
const COMMAND = '/usr/local/bin/aeropuente';
/** As Debian's package brings it, without its comments. */
const AS_PACKAGED = ':80 { root * /usr/share/caddy file_server }';
/** What the unit does not let the service see, or what goes with a reboot. */
const OUT_OF_SIGHT = ['/root', '/home', '/run/user', '/tmp', '/var/tmp'];
const PATIENCE = 60_000;

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
  if (values.help) return void process.stdout.write(HELP);
  const root = values.root && path.resolve(values.root);
  const installation = withSettingsThatAreThere(
    {
      // A package of the sample company has no site to serve.
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
  if (warning) console.error(warning);
  if (values.package) return installPackage(installation);
  if (values.print) return print(files, installation);
  if (!existsSync('dist/index.html'))
    throw new Error('There is no built site here: unpack a release, or run "npm run build".');
  if (root) return stage(files, root, installation);
  requireMachine(installation);
  await requirePort(installation.port);
  await install(files, installation);
}

function domainOf(given: string | undefined): string {
  const published = process.env['VITE_SITE_URL'];
  const domain = given ?? (published && URL.canParse(published) ? new URL(published).host : '');
  if (!domain)
    throw new UsageError(
      localize({
        es: '¿Con qué nombre se publica el sitio? Dígalo con --domain cotiza.ejemplo.mx, o haga la versión con VITE_SITE_URL.',
        en: 'Under which name is the site published? Say it with --domain cotiza.ejemplo.mx, or build with VITE_SITE_URL.',
      }),
    );
  if (!/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/.test(domain))
    throw new UsageError(
      `"${domain}" is no name of a site: it is written like cotiza.ejemplo.mx, without https:// and without a port.`,
    );
  return domain;
}

function absolute(option: string, folder: string): string {
  if (path.isAbsolute(folder) && !/["\n%\\]/.test(folder)) return path.resolve(folder);
  throw new UsageError(`${option} must be a whole path such as /var/lib/aeropuente; it is "${folder}".`);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 1023 && port < 65_536) return port;
  throw new UsageError(`--port must be a whole number from 1024 to 65535; it is "${text}".`);
}

/** Of the installation that is there: a newer release takes no less. */
function memoryIn(unit: string): string | undefined {
  return existsSync(unit) ? /^MemoryMax=(\S+)$/m.exec(readFileSync(unit, 'utf8'))?.[1] : undefined;
}

function memoryOf(text: string): string {
  if (/^[1-9]\d*[MG]$/.test(text)) return text;
  throw new UsageError(`--memory must be an amount such as 1500M or 2G; it is "${text}".`);
}

/** The operator's settings may have been changed since, and stay: they stand above what is assumed here. */
function withSettingsThatAreThere(
  installation: Installation,
  said: { readonly port?: string; readonly data?: string; readonly backups?: string },
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
    const stands = settings[name] ?? '';
    if (said[option] === undefined || wanted === (stands.startsWith('/') ? path.resolve(stands) : stands)) continue;
    throw new UsageError(
      `${file} stays as it is, and says ${name}=${stands}: write ${name}=${wanted} there first, or leave out --${option}.`,
    );
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

/** Version of the installed Caddy, such as `2.6.2` or `v2.10.2 h1:…`; a new one where none is installed yet. */
function caddyVersion(): string {
  return findOnPath('caddy') ? spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout : '2.10';
}

function print(files: readonly File[], installation: Installation): void {
  for (const { place, content } of files) console.log(`--- ${place}\n${content}`);
  console.log(localize({ es: '--- y después', en: '--- and then' }));
  for (const command of allCommands(installation)) console.log(typed(command));
}

/** As it would be typed into a shell. */
const typed = (command: readonly string[]) =>
  command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');

/** All that is done beside writing the files: what is printed, and what an installation does itself. */
function commandsOf({ dataDir, backupDir, folder }: Installation) {
  return {
    // Without a home: tools write logs there, and a command's words name people.
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
      // Logs of npm, from when commands were given through it.
      ['rm', '-rf', path.join(dataDir, '.npm')],
      ['chown', '-R', `${USER}:${USER}`, dataDir],
      ...(backupDir ? [['chown', `${USER}:${USER}`, backupDir]] : []),
      ['chown', `root:${USER}`, SETTINGS],
    ],
    links: [
      // The service and the commands of this folder read `.env`: theirs are these settings.
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

/** Faults of the machine are named before anything is touched. */
function requireMachine({ folder, node, dataDir, backupDir }: Installation): void {
  if (process.getuid?.() !== 0)
    throw new Error(
      localize({
        es: 'Sólo root puede hacerlo: su -, y otra vez. "--print" muestra lo que haría.',
        en: 'Only root can do this: su -, and run it again. "--print" shows what it would do.',
      }),
    );
  if (!existsSync('/run/systemd/system'))
    throw new Error(
      localize({
        es: 'Esta máquina no arrancó con systemd. "--print" muestra la unidad y lo de Caddy, para otra manera.',
        en: 'This machine was not started by systemd. "--print" shows the unit and the Caddyfile for another way.',
      }),
    );
  if (!findOnPath('caddy'))
    throw new Error(
      localize({ es: 'Falta Caddy: apt-get install caddy', en: 'Caddy is not there: apt-get install caddy' }),
    );
  const isHidden = (place: string) => OUT_OF_SIGHT.some((hidden) => place.startsWith(`${hidden}/`));
  for (const place of [folder, node])
    if (isHidden(place))
      throw new Error(
        localize({
          es: `El servicio no puede ver ${place}: desempaque la versión en /opt, y use un Node que no esté en un /home.`,
          en: `The service cannot see ${place}: unpack the release below /opt, and use a Node that is not in a home.`,
        }),
      );
  for (const place of [dataDir, backupDir ?? dataDir])
    if (isHidden(place))
      throw new Error(
        localize({
          es: `El servicio no puede ver ${place}: elija una carpeta como /var/lib/aeropuente.`,
          en: `The service cannot see ${place}: choose one such as /var/lib/aeropuente.`,
        }),
      );
  if (lstatSync('.env', { throwIfNoEntry: false })?.isSymbolicLink() === false)
    throw new Error(
      localize({
        es: `Aquí hay un .env: ponga lo que dice en ${SETTINGS}, y quítelo.`,
        en: `There is an .env here: put what it says into ${SETTINGS}, and remove it.`,
      }),
    );
  // The disk of what is not made yet is that of the folder above it.
  requireSpace(existsSync(dataDir) ? dataDir : '/', RESERVE + NEW_DATABASE);
  if (backupDir && !existsSync(backupDir))
    throw new Error(
      localize({
        es: `No existe la carpeta de los respaldos: ${backupDir}`,
        en: `The folder for backups is not there: ${backupDir}`,
      }),
    );
}

/** The port may be taken by our own service. */
async function requirePort(port: number): Promise<void> {
  if (spawnSync('systemctl', ['is-active', '--quiet', 'aeropuente']).status === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', () =>
      reject(
        new Error(
          localize({
            es: `El puerto ${port} lo tiene otro programa: elija otro con --port, o deténgalo (ss -ltnp dice cuál es).`,
            en: `Port ${port} is taken by another program: choose another with --port, or stop it (ss -ltnp shows which).`,
          }),
        ),
      ),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()));
  });
}

function stage(files: readonly File[], root: string, installation: Installation): void {
  for (const file of files) write(file, root);
  check(root);
  console.log(`Written below ${root}. On its machine remain:`);
  for (const command of allCommands(installation)) console.log(`  ${typed(command)}`);
}

async function install(files: readonly File[], installation: Installation): Promise<void> {
  const { domain } = installation;
  const { makeUser, own, links, startCaddy } = commandsOf(installation);
  for (const file of files) write(file, '/');
  if (spawnSync('id', ['-u', USER]).status !== 0) order(makeUser);
  for (const command of [...own, ...links]) order(command);
  requireReadable(installation);
  check('/');
  await startService(installation);
  for (const command of startCaddy) order(command);
  await untilWell(`https://${domain}/healthz`, () =>
    localize({
      es: `journalctl -u caddy -n 20, y si ${domain} lleva a esta máquina (puertos 80 y 443)`,
      en: `journalctl -u caddy -n 20, and whether ${domain} leads to this machine (ports 80 and 443)`,
    }),
  );
  console.log(localize({ es: `https://${domain} está bien.`, en: `https://${domain} is well.` }));
}

async function startService(installation: Installation): Promise<void> {
  const { dataDir, port } = installation;
  if (!existsSync(databaseFolderIn(dataDir)))
    console.log(
      localize({
        es: 'El primer arranque hace la base de datos: hasta medio minuto.',
        en: 'The first start makes the database: up to half a minute.',
      }),
    );
  for (const command of commandsOf(installation).start) order(command);
  await untilWell(`http://127.0.0.1:${port}/healthz`, () =>
    localize({
      es: `aeropuente logs. Las últimas líneas:\n${lastLines()}`,
      en: `aeropuente logs. Its last lines:\n${lastLines()}`,
    }),
  );
  console.log(
    localize({
      es: `AeroPuente responde en 127.0.0.1:${port}, guarda las cotizaciones en ${dataDir} y arranca con la máquina.`,
      en: `AeroPuente serves at 127.0.0.1:${port}, keeps its quotes in ${dataDir}, and starts with the machine.`,
    }),
  );
}

/** Files that an installation from an archive wrote, in front of those of the package. */
const OF_ARCHIVE = [UNIT, COMMAND];

/** The rest of what Debian's package manager began: it has brought unit, command and settings. */
async function installPackage(installation: Installation): Promise<void> {
  const { backupDir, domain } = installation;
  const { makeUser, own, startCaddy } = commandsOf(installation);
  for (const file of OF_ARCHIVE) rmSync(file, { force: true });
  if (domain) for (const file of caddyFiles(installation)) write(file, '/');
  if (spawnSync('id', ['-u', USER]).status !== 0) order(makeUser);
  if (backupDir) mkdirSync(backupDir, { recursive: true, mode: 0o700 });
  for (const command of own) order(command);
  if (!existsSync('/run/systemd/system'))
    return console.log(
      localize({
        es: 'Aquí no está en marcha systemd: arranque el servicio usted.',
        en: 'systemd does not run here: start the service yourself.',
      }),
    );
  try {
    await startService(installation);
    if (domain && findOnPath('caddy')) for (const command of startCaddy) order(command);
  } catch (error) {
    // The package is whole: what is missing is of the machine.
    console.error((error as Error).message);
  }
  console.log(
    localize({
      es: 'Para ver si todo está bien: aeropuente doctor',
      en: 'To see whether all is well: aeropuente doctor',
    }),
  );
}

/** Settings are the operator's, and so is a Caddyfile that somebody wrote or changed. */
function write({ place, content, mode }: File, root: string): void {
  const file = path.join(root, place);
  const isOperators = existsSync(file) && (place === SETTINGS || (place === CADDY && !isAsPackaged(file)));
  if (isOperators) {
    console.log(localize({ es: `${file} queda como está.`, en: `${file} stays as it is.` }));
    if (place === CADDY && !/^\s*import\s+\S*(aeropuente\.caddy|\*\.caddy)/m.test(readFileSync(file, 'utf8')))
      console.log(
        localize({
          es: `Póngale esta línea, sin la que Caddy no sirve AeroPuente: import ${path.basename(CADDY_SITE)}`,
          en: `Put this line into it, without which Caddy does not serve AeroPuente: import ${path.basename(CADDY_SITE)}`,
        }),
      );
    return;
  }
  // Whatever this shell takes from the modes of what it makes: the service has to come to its settings.
  const made = mkdirSync(path.dirname(file), { recursive: true });
  if (made) chmodSync(path.dirname(file), 0o755);
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  console.log(localize({ es: `Se escribió ${file}.`, en: `${file} is written.` }));
}

/** Whether a Caddyfile is Debian's own, or empty. */
function isAsPackaged(file: string): boolean {
  const says = readFileSync(file, 'utf8')
    .replaceAll(/^\s*#.*$/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ');
  return says === '' || says === AS_PACKAGED;
}

function requireReadable({ folder, node, user }: Installation): void {
  for (const file of [path.join(folder, 'server/main.ts'), node, SETTINGS]) {
    const { status } = spawnSync('runuser', ['-u', user, '--', 'test', '-r', file]);
    const cure = file === SETTINGS ? `chmod a+rx ${path.dirname(SETTINGS)}` : `chmod -R a+rX ${folder}`;
    if (status !== 0)
      throw new Error(
        localize({
          es: `El usuario ${user} no puede leer ${file}: ${cure}`,
          en: `The user ${user} cannot read ${file}: ${cure}`,
        }),
      );
  }
}

/** What systemd and Caddy say of what was written, where they are. */
function check(root: string): void {
  const unit = path.join(root, UNIT);
  const config = path.join(root, CADDY);
  if (findOnPath('systemd-analyze')) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // Unknown keys are ignored.
    const wrong = stderr
      .split('\n')
      .filter((line) => line.includes('aeropuente.service') && /ignoring|fail|invalid/i.test(line));
    if (status !== 0 || wrong.length > 0)
      throw new Error(`systemd does not take ${unit}: ${wrong.join(' ') || stderr}`);
    console.log(localize({ es: `systemd acepta ${unit}.`, en: `systemd takes ${unit}.` }));
  }
  if (findOnPath('caddy')) {
    const parameters = ['validate', '--adapter', 'caddyfile', '--config', config];
    const { status, stderr } = spawnSync('caddy', parameters, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`Caddy does not take ${config}: ${stderr}`);
    console.log(localize({ es: `Caddy acepta ${config}.`, en: `Caddy takes ${config}.` }));
  }
}

function order([command, ...parameters]: string[]): void {
  const { status, stderr, error } = spawnSync(command!, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`"${[command, ...parameters].join(' ')}" failed: ${error?.message ?? stderr}`);
}

/** The reason of a start that failed is there. */
function lastLines(): string {
  const parameters = ['--unit=aeropuente', '--output=cat', '--lines=5', '--no-pager'];
  return spawnSync('journalctl', parameters, { encoding: 'utf8' }).stdout ?? '';
}

async function untilWell(address: string, whereToLook: () => string): Promise<void> {
  const until = Date.now() + PATIENCE;
  let why = '';
  while (Date.now() < until) {
    try {
      const { status } = await plainFetch(address, { signal: AbortSignal.timeout(10_000) });
      if (status === 200) return;
      why = `it answered ${status}`;
    } catch (error) {
      why = (error as Error).message;
    }
    await wait(1000);
  }
  throw new Error(
    localize({
      es: `${address} no está bien después de un minuto (${why}). Vea: ${whereToLook()}`,
      en: `${address} is not well after a minute (${why}). Look at: ${whereToLook()}`,
    }),
  );
}

await runCommand(run);
