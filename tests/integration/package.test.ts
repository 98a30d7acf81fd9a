import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findOnPath } from '../../build/on-path.ts';
import { makePackages } from '../../build/release/package.ts';
import { madeOnce } from '../run-folder.ts';
import { addNextMigrations } from './next-release.ts';
import { temporaryDirectory } from './processes.ts';
import { archiveIn, done, machine, madeRelease, partsOf, ran, VERSION } from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

const company = { name: 'Carga del Golfo', email: 'ventas@ejemplo.mx' };
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';

/** Makes archive and Debian package of this release, or of a later release with two more migrations. */
async function madePackages(next: boolean): Promise<{ archive: string; debian: string }> {
  const made = await madeRelease();
  const folder = await madeOnce(next ? 'next-package' : 'package', async (into) => {
    mkdirSync(into, { recursive: true });
    let archive = path.join(made, archiveIn(made));
    if (next) {
      const unpacked = path.join(temporaryDirectory(), 'aeropuente-1.1.0');
      mkdirSync(unpacked);
      await done(unpacked, 'tar', ['-xzf', archive, '--strip-components=1']);
      addNextMigrations(path.join(unpacked, 'supabase/migrations'));
      archive = path.join(temporaryDirectory(), 'next.tar.gz');
      await done(path.dirname(unpacked), 'tar', ['-czf', archive, path.basename(unpacked)]);
    }
    makePackages({ archive, into, version: next ? '1.1.0' : '1.0.0', arch, nodeFrom: undefined, company });
  });
  const file = (ending: string) =>
    path.join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(ending))!,
    );
  return { archive: file('.tar.gz'), debian: file('.deb') };
}

const whyNot =
  process.platform === 'linux' && process.getuid?.() === 0 && findOnPath('dpkg-deb') && findOnPath('unshare')
    ? ''
    : 'left out: it needs root and dpkg-deb';

test.skipIf(whyNot)(`the archive that includes Node works on a machine without Node and npm ${whyNot}`, async () => {
  const { archive } = await madePackages(false);
  const folder = temporaryDirectory();
  await done(folder, 'tar', ['-xzf', archive, '--strip-components=1']);
  const nowhere = { ...machine(), PATH: '/usr/bin:/bin', DATA_DIR: path.join(folder, 'none') };
  const { stdout } = await ran('/', path.join(folder, 'node/bin/node'), ['--version'], nowhere);
  expect(stdout).toMatch(/^v24\./);
  const listed = await ran('/', path.join(folder, 'bin/aeropuente'), ['quotes', '--help'], nowhere);
  expect([listed.status, listed.stderr]).toEqual([0, '']);
  const sums = readFileSync(`${archive}.sha256`, 'utf8');
  expect(sums).toContain(createHash('sha256').update(readFileSync(archive)).digest('hex'));
});

test.skipIf(whyNot)(`the Debian package is installed, upgraded and removed without network ${whyNot}`, async () => {
  const [{ debian }, { debian: next }] = [await madePackages(false), await madePackages(true)];
  const script = path.resolve('tests/integration/bare-machine.sh');
  const words = ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', script, debian, next];
  const QUOTE = JSON.stringify({ ...sampleQuote(), email: 'maria@berries.mx' });
  const { status, stdout, stderr } = await ran('.', 'unshare', [...words, temporaryDirectory()], machine({ QUOTE }));
  expect(status, stdout + stderr).toBe(0);
  const parts = partsOf(stdout);
  expect(parts['install']).toBe(`El primer arranque crea la base de datos: tarda hasta medio minuto.
AeroPuente responde en 127.0.0.1:4173, guarda las cotizaciones en /var/lib/aeropuente y arranca con la máquina.
Para ver si todo está bien: aeropuente doctor
`);
  expect(parts['quote']).toBe('AP-\n');
  expect(parts['owners']).toBe(`640 root:aeropuente /etc/aeropuente/settings.env
700 aeropuente:aeropuente /var/lib/aeropuente
700 aeropuente:aeropuente /var/backups/aeropuente
 /etc/aeropuente/settings.env
`);
  expect(parts['erase']).toMatch(/Hecho\. La constancia está en erase\.txt\.\nnothing\n$/);
  expect(parts['wrong']).toMatch(/^BACKUP_EVERY debe ser .*\nexit 78\n$/);
  expect(parts['lost']).toMatch(/^\/var\/lib\/aeropuente tiene las \d cotizaciones de .*\n/);
  expect(parts['check']).toContain('las migraciones no se revierten');
  expect(parts['upgrade']).toBe('1.1.0\n# mine\n{"database":"ok"\n');
  expect(parts['back']).toMatch(
    new RegExp(`está como antes de la actualización: .*\\n${VERSION}\\n{"database":"ok"\\n$`),
  );
  for (const check of ['Servidor', 'Disco', 'Respaldos', 'Aviso de privacidad'])
    expect(parts['doctor']).toContain(check);
  expect(parts['removed']).toMatch(/^gone\n\w+/);
});

test.skipIf(whyNot)('packaging fails if the hash of Node’s archive is wrong', async () => {
  const made = await madeRelease();
  const archive = path.join(made, archiveIn(made));
  const folder = temporaryDirectory();
  const name = `node-v24.99.0-linux-${arch}`;
  mkdirSync(path.join(folder, name, 'bin'), { recursive: true });
  cpSync(process.execPath, path.join(folder, name, 'bin/node'));
  writeFileSync(path.join(folder, name, 'LICENSE'), 'MIT');
  await done(folder, 'tar', ['-cJf', `${name}.tar.xz`, name]);
  const make = (into: string) => makePackages({ archive, into, version: '1.0.0', arch, nodeFrom: folder, company });
  expect(() => make(temporaryDirectory())).toThrow('SHASUMS256.txt');
  writeFileSync(path.join(folder, 'SHASUMS256.txt'), `${'0'.repeat(64)}  ${name}.tar.xz\n`);
  expect(() => make(temporaryDirectory())).toThrow('does not have the hash of SHASUMS256.txt');
  const hash = createHash('sha256').update(readFileSync(path.join(folder, `${name}.tar.xz`)));
  writeFileSync(path.join(folder, 'SHASUMS256.txt'), `${hash.digest('hex')}  ${name}.tar.xz\n`);
  expect(make(temporaryDirectory())).toHaveLength(2);
});
