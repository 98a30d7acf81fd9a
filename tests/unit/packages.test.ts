import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Packages of the owner's design card, each with the file that uses the package. */
const CARD = {
  react: 'src/ui/wake.tsx',
  vite: 'vite.config.ts',
  'vite-plugin-pwa': 'build/pwa.ts',
  'workbox-window': 'src/phone/worker.ts',
  idb: 'src/outbox/store.ts',
  '@supabase/supabase-js': 'src/desk/backend.ts',
  '@vapi-ai/web': 'src/voice/vapi.ts',
  leaflet: 'src/network/PointLayer.tsx',
  'react-leaflet': 'src/network/MapView.tsx',
  zod: 'src/lead/quote.ts',
  vitest: 'vitest.config.ts',
};

test.each(Object.entries(CARD))('%s is installed, and used by %s', (name, file) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect({ ...dependencies, ...devDependencies }).toHaveProperty([name]);
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`(from |import\\()'${name}[/']`));
});

test.each(['package.json', 'vite.config.ts', 'tsconfig.json', 'src', 'public', 'sw', 'tests'])(
  '%s is at the top, as the design card has it',
  (name) => expect(existsSync(name)).toBe(true),
);

test.each(['.', 'bench', 'runtime', 'tests/hosted'])('each package in the lock of %s has its hash', (folder) => {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const { '': _root, ...installed } = packages;
  expect(Object.keys(installed).filter((name) => !installed[name]!.integrity)).toEqual([]);
});
