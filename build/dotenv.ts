import { existsSync } from 'node:fs';

// Sets the variables of `.env` before other modules read them. Node's own `--env-file-if-exists` would print a warning
// at each command if the file is missing.
if (existsSync('.env')) process.loadEnvFile('.env');

/** Settings that may change after the build: the server, not the build, writes them into the privacy notice. */
const SERVED = ['VITE_DATA_PLACE'];

// The pages of a release contain the settings of its build. A different value in the environment would contradict them,
// so the command stops.
if (existsSync('release.json')) {
  const { readRelease } = await import('../server/release.ts');
  const { WRONG_SETTING } = await import('../server/settings.ts');
  const { settingNames } = await import('./environment.ts');
  const { settings } = readRelease()!;
  for (const name of settingNames) {
    const built = settings[name] ?? '';
    const here = process.env[name] ?? '';
    if (here && here !== built && !SERVED.includes(name)) {
      console.error(
        `${name} is "${here}" here, and this release was built ${built ? `with "${built}"` : 'without it'}. Take it out of .env, or make a release with it.`,
      );
      process.exit(WRONG_SETTING);
    }
    if (built && !here) process.env[name] = built;
  }
}
