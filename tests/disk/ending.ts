import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a process (`node --import`): it is killed as it first does this, `renameSync database.new` for one. */
const [deed = '', place = ''] = process.env['ENDS_AT']!.split(' ');
const functions = fs as unknown as Record<string, (...parameters: unknown[]) => unknown>;
const original = functions[deed]!;
functions[deed] = (...parameters) => {
  if (String(parameters[0]).endsWith(place)) process.kill(process.pid, 'SIGKILL');
  return original(...parameters);
};
syncBuiltinESMExports();
