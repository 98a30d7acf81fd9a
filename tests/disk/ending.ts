import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Preload (`node --import`) that kills the process at a given call of `fs`, such as `renameSync database.new`. */
const [deed = '', place = ''] = process.env['ENDS_AT']!.split(' ');
const functions = fs as unknown as Record<string, (...parameters: unknown[]) => unknown>;
const original = functions[deed]!;
functions[deed] = (...parameters) => {
  if (String(parameters[0]).endsWith(place)) process.kill(process.pid, 'SIGKILL');
  return original(...parameters);
};
syncBuiltinESMExports();
