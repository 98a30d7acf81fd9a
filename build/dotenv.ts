import { existsSync } from 'node:fs';

// Sets the variables of `.env` before anything reads them. Node's own `--env-file-if-exists` says with each command
// that there is none.
if (existsSync('.env')) process.loadEnvFile('.env');
