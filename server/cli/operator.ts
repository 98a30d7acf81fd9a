import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { USER } from '../service/files.ts';
import { messageOf, UsageError } from './command.ts';

/**
 * Returns the absolute path of a file that the operator named. INIT_CWD is the folder from which the operator called
 * the command.
 */
export const fileAt = (file: string): string => path.resolve(process.env['INIT_CWD'] || '.', file);

/** Changes from root to the service's user, so that files written beside the data belong to the service. */
export function becomeService(): void {
  if (process.getuid?.() !== 0) return;
  const id = (kind: string) => Number(execFileSync('id', [kind, USER], { stdio: ['ignore', 'pipe', 'ignore'] }));
  let user: number;
  try {
    user = id('-u');
  } catch {
    return;
  }
  const group = id('-g');
  process.setgroups!([group]);
  process.setegid!(group);
  process.seteuid!(user);
}

/**
 * Runs `work` as root, because the service's user may not be allowed to open the operator's files. `work` must be
 * synchronous, because the whole process is root while it runs.
 */
export function asOperator<Result>(work: () => Result): Result {
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  if (process.getuid?.() !== 0 || user === 0) return work();
  process.seteuid!(0);
  process.setegid!(0);
  try {
    return work();
  } finally {
    process.setegid!(group!);
    process.seteuid!(user!);
  }
}

/** Reads the operator's file; `-` is the standard input. */
export function readOperatorFile(file: string): Buffer {
  try {
    return file === '-' ? readFileSync(0) : asOperator(() => readFileSync(fileAt(file)));
  } catch (error) {
    throw new UsageError({
      es: `No se pudo leer ${file}: ${messageOf(error)}`,
      en: `${file} could not be read: ${messageOf(error)}`,
    });
  }
}
