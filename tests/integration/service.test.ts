import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { findOnPath } from '../../build/on-path.ts';
import { nodeWarning } from '../../server/node-version.ts';
import { readSettings } from '../../server/settings.ts';
import { addressPrintedBy } from '../printed-address.ts';
import { whyNoCaddy } from './behind-caddy.ts';
import { send, temporaryDirectory } from './processes.ts';
import { installedRelease, machine, partsOf, ran } from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

/** Runs `aeropuente install` of an installed release. */
async function installService(...parameters: string[]) {
  return ran('.', path.join(await installedRelease(), 'bin/aeropuente'), ['install', ...parameters]);
}

const SETTINGS = 'etc/aeropuente/settings.env';
const UNIT = 'etc/systemd/system/aeropuente.service';
const CADDYFILE = 'etc/caddy/Caddyfile';
const CADDY_SITE = 'etc/caddy/aeropuente.caddy';

test('a dry run of the installation prints all files and commands, and changes nothing', async () => {
  const folder = await installedRelease();
  const folders = ['--data', `/srv/ana's data`, '--backups', '/mnt/respaldos'];
  const { status, stdout, stderr } = await installService('--print', '--domain', 'cotiza.ejemplo.mx', ...folders);
  expect(status).toBe(0);
  const { stdout: version } = await ran(folder, 'npm', ['exec', '--', 'node', '-p', 'process.versions.node']);
  // Both warnings name the day on which Node’s security advisories were read. The installed release says today, the
  // working copy says READ_ON.
  const undated = (warning: string) => warning.replace(/list of [\d-]+/, 'list of a day');
  expect(undated(stderr.trim())).toBe(undated(nodeWarning(version.trim())?.en ?? ''));
  for (const said of [SETTINGS, UNIT, CADDYFILE, CADDY_SITE, `WorkingDirectory=${folder}`, 'cotiza.ejemplo.mx {'])
    expect(stdout).toContain(said);
  expect(stdout).toContain('systemctl enable aeropuente\n');
  expect(stdout).toContain(String.raw`-g aeropuente '/srv/ana'\''s data'`);
  expect(stdout).toContain(`ln -sfn /${SETTINGS} ${folder}/.env`);
  expect(stdout).toContain('chown aeropuente:aeropuente /mnt/respaldos');
  expect(stdout).toContain(`ln -sfn ${folder}/bin/aeropuente /usr/local/bin/aeropuente`);
  // npm’s logs would contain typed commands, and these may contain personal data.
  expect(stdout).toContain(String.raw`rm -rf '/srv/ana'\''s data/.npm'`);
  expect(existsSync(path.join(folder, '.env'))).toBe(false);
});

test('systemd and Caddy accept the installed files; a second installation keeps the operator’s settings', async () => {
  const root = temporaryDirectory();
  const place = (file: string) => path.join(root, file);
  const first = await installService('--root', root, '--domain', 'cotiza.ejemplo.mx', '--backups', '/mnt/respaldos');
  expect(first.status, first.stderr).toBe(0);
  if (findOnPath('systemd-analyze')) {
    expect(first.stdout).toContain(`systemd accepts ${place(UNIT)}.`);
    const words = ['security', '--offline=true', '--threshold=20', place(UNIT)];
    const judged = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    // systemd-analyze before version 250 can check only running units.
    if (!judged.stderr.includes('unrecognized')) expect(judged.status, judged.stdout.slice(-200)).toBe(0);
  }
  if (!whyNoCaddy) expect(first.stdout).toContain(`Caddy accepts ${place(CADDYFILE)}.`);
  const unit = readFileSync(place(UNIT), 'utf8');
  expect([...unit.matchAll(/^ReadWritePaths=(.*)$/gm)].map(([, paths]) => paths)).toEqual([
    '/var/lib/aeropuente -/mnt/respaldos',
  ]);
  // The server exits with 78 on a wrong setting. A restart by systemd would not help.
  expect(unit).toContain('RestartPreventExitStatus=78');
  // The server must accept the written settings.
  const settings = readSettings(parseEnv(readFileSync(place(SETTINGS), 'utf8')));
  expect(settings).toMatchObject({ dataDir: '/var/lib/aeropuente', host: '127.0.0.1', trustedProxies: 1 });
  expect(settings.backups?.folder).toBe('/mnt/respaldos');

  // The second installation must keep the operator’s changes, even under a strict umask.
  const other = 'otra.ejemplo.mx {\n\trespond "otra"\n}\n';
  writeFileSync(place(UNIT), unit.replace('MemoryMax=2G', 'MemoryMax=4G'));
  const changed = readFileSync(place(CADDYFILE), 'utf8') + other;
  writeFileSync(place(CADDYFILE), changed);
  writeFileSync(place(SETTINGS), readFileSync(place(SETTINGS), 'utf8').replace('PORT=4173', 'PORT=4199'));
  const umask = process.umask(0o027);
  const upgraded = await installService('--root', root, '--domain', 'cotiza.ejemplo.mx');
  process.umask(umask);
  expect(upgraded.status, upgraded.stderr).toBe(0);
  expect(upgraded.stdout).toContain(`${place(SETTINGS)} is not changed.`);
  expect(upgraded.stdout).toContain(`${place(CADDYFILE)} is not changed.`);
  expect(upgraded.stdout).not.toContain('Add this line to it');
  expect(readFileSync(place(UNIT), 'utf8')).toContain('MemoryMax=4G');
  expect(readFileSync(place(CADDYFILE), 'utf8')).toBe(changed);
  expect(readFileSync(place(CADDY_SITE), 'utf8')).toContain('127.0.0.1:4199');
  expect(statSync(place(CADDY_SITE)).mode & 0o777).toBe(0o644);

  writeFileSync(place(CADDYFILE), `# The Caddyfile is an easy way to configure your Caddy web server.\n${other}`);
  const again = await installService('--root', root, '--domain', 'cotiza.ejemplo.mx');
  expect(again.stdout).toContain(
    'Add this line to it, without which Caddy does not serve AeroPuente: import aeropuente.caddy',
  );
  expect(readFileSync(place(CADDYFILE), 'utf8')).not.toContain('import');
});

test('an option that contradicts the operator’s settings is refused, and changes no file', async () => {
  const root = temporaryDirectory();
  const file = path.join(root, SETTINGS);
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = 'PORT=4173\nDATA_DIR=/srv/datos/\nBACKUP_DIR=\n';
  writeFileSync(file, lines);
  const install = (...words: string[]) => installService('--root', root, '--domain', 'cotiza.ejemplo.mx', ...words);
  for (const [words, says, wants] of [
    [['--backups', '/mnt/respaldos'], 'BACKUP_DIR=', 'BACKUP_DIR=/mnt/respaldos'],
    [['--port', '4200'], 'PORT=4173', 'PORT=4200'],
    [['--data', '/var/lib/aeropuente'], 'DATA_DIR=/srv/datos/', 'DATA_DIR=/var/lib/aeropuente'],
  ] as const) {
    const stderr = `${file} is never changed, and contains ${says}: write ${wants} there first, or leave out ${words[0]}.\n`;
    expect(await install(...words)).toEqual({ status: 2, stdout: '', stderr });
  }
  expect(existsSync(path.join(root, UNIT))).toBe(false);
  const same = await install('--port', '4173', '--data', '/srv/datos');
  expect(same.status, same.stderr).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(lines);
});

test.each<[string, string[], string]>([
  ['a missing domain', [], 'The name of the published site is missing'],
  ['a URL instead of a domain', ['--domain', 'https://cotiza.ejemplo.mx/'], 'is not the name of a site'],
  ['a folder that is not a full path', ['--domain', 'a.mx', '--data', 'datos'], '--data must be a full path'],
  ['a port below 1024', ['--domain', 'a.mx', '--port', '80'], '--port must be a whole number from 1024 to 65535'],
  ['an amount of memory that is no number', ['--domain', 'a.mx', '--memory', 'much'], '--memory must be an amount'],
])('the installation refuses %s in one sentence, and changes nothing', async (_, parameters, sentence) => {
  const { status, stdout, stderr } = await installService(...parameters);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.skipIf(existsSync('/run/systemd/system'))('the installation names other ways if systemd is missing', async () => {
  const { status, stderr } = await installService('--domain', 'cotiza.ejemplo.mx');
  expect(status).toBe(1);
  expect(stderr).toMatch(/does not run systemd\. "--print" shows|Only root can install/);
});

const isRootOfLinux = process.platform === 'linux' && process.getuid?.() === 0 && Boolean(findOnPath('setpriv'));

// Tests run without systemd, so this test asks the kernel for the same limits as the unit: only the data are writable,
// and the server has its own user and no capabilities, and cannot get new capabilities.
test.skipIf(!isRootOfLinux)('the server works under the restrictions of its systemd unit', async () => {
  const folder = await installedRelease();
  const home = mkdtempSync(path.join(tmpdir(), 'aeropuente-service-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const dataDir = path.join(home, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const NOBODY = 65_534;
  chownSync(dataDir, NOBODY, NOBODY);
  chmodSync(home, 0o755);
  const [release, node] = [path.join(home, 'release'), path.join(home, 'node')];
  mkdirSync(release);
  writeFileSync(node, '');
  const script = `set -e; mount --make-rprivate /; cd ${home}
    mount --bind ${folder} release; mount --bind ${process.execPath} node; mount --bind data data
    for place in $(cut -d ' ' -f 2 /proc/self/mounts); do mount -o remount,bind,ro "$place" 2>&- || true; done
    mount -o remount,bind,rw data; cd release
    exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --bounding-set=-all --no-new-privs \
      ${node} --max-semi-space-size=4 --import ./build/dotenv.ts server/main.ts`;
  const server = spawn('unshare', ['--mount', 'sh', '-c', script], {
    env: machine({ DATA_DIR: dataDir, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'close');
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await ended;
  });
  expect((await send(await addressPrintedBy(server), sampleQuote())).status).toBe(201);
  const files = ['/dev/shm/x', '/tmp/x', `${release}/x`];
  const touching = spawnSync('nsenter', ['-t', String(server.pid), '-m', 'touch', ...files]);
  expect(touching.stderr.toString().match(/Read-only file system/g)).toHaveLength(3);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\s+65534\s/m);
  expect(status).toMatch(/^CapBnd:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
});

const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

test.skipIf(!isRootOfLinux || Boolean(whyNoCaddy) || !findOnPath('ip'))(
  '`aeropuente install` installs the service on a bare machine, and checks the site',
  async () => {
    const folder = await installedRelease();
    const script = path.resolve('tests/integration/whole-machine.sh');
    const words = [...NAMESPACES, 'sh', script, folder, temporaryDirectory()];
    const QUOTE = JSON.stringify(sampleQuote({ email: 'maria@berries.mx' }));
    const { status, stdout, stderr } = await ran('.', 'unshare', words, machine({ QUOTE }));
    expect(status, stdout + stderr).toBe(0);
    const parts = partsOf(stdout);
    expect(parts['install']).toBe(`/etc/aeropuente/settings.env is written.
/etc/systemd/system/aeropuente.service is written.
/etc/caddy/aeropuente.caddy is written.
/etc/caddy/Caddyfile is written.
systemd accepts /etc/systemd/system/aeropuente.service.
Caddy accepts /etc/caddy/Caddyfile.
The first start creates the database: up to half a minute.
AeroPuente answers at 127.0.0.1:4173, stores quotes in /var/lib/aeropuente, and starts with the machine.
https://cotiza.aeropuente.test answers.
`);
    expect(parts['command']).toContain('Contraseña: ');
    expect(parts['person']).toMatch(/^Done\. The receipt is in block\.txt\.\nDone\. The receipt is in erase\.txt\.\n$/);
    // The script whole-machine.sh runs `aeropuente personas` as root. The command switches to the service’s user, but
    // the files that its options name must belong to root.
    expect(parts['files']).toBe(`600 root:root block.txt
600 root:root erase.txt
600 root:root maria.json
`);
    expect(parts['left']).toBe('');
    expect(parts['tried']).toContain('can be restored: 1 quotes');
    expect(parts['owners']).toBe(`640 root:aeropuente /etc/aeropuente/settings.env
700 aeropuente:aeropuente /var/lib/aeropuente
644 root:root /etc/systemd/system/aeropuente.service
/etc/aeropuente/settings.env
/srv/aeropuente/bin/aeropuente
`);
    // The command must notice that another program uses the port.
    expect(parts['port']).toMatch(
      /(^|\n)Another program uses port 4173: choose another port with --port, or stop the program \(ss -ltnp shows it\)\.\n$/,
    );
  },
);
