import { existsSync } from 'node:fs';

// Sets the variables of `.env` before anything reads them. Node's own `--env-file-if-exists` says with each command
// that there is none.
if (existsSync('.env')) process.loadEnvFile('.env');

// A release was built with settings: the server and its commands go by the same ones.
if (existsSync('release.json')) {
  const { readRelease } = await import('../server/release.ts');
  const { settingNames } = await import('./environment.ts');
  const { settings } = readRelease()!;
  for (const name of settingNames) {
    const built = settings[name] ?? '';
    const here = process.env[name] ?? '';
    if (here && here !== built) {
      console.error(
        `${name} is "${here}" here, and this release was built ${built ? `with "${built}"` : 'without it'}. Take it out of .env, or make a release with it.`,
      );
      process.exit(1);
    }
    if (built) process.env[name] = built;
  }
}
