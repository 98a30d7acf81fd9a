import { existsSync } from 'node:fs';

// What `.env` sets, before anything reads it. Node's own `--env-file-if-exists` says with each command that there is none.
if (existsSync('.env')) process.loadEnvFile('.env');
