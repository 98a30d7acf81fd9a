import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { USER } from '../service/files.ts';

/** Path of a file that the operator named relative to their folder. */
export const fileAt = (file: string): string => path.resolve(process.env['INIT_CWD'] || '.', file);

/** Gives up root for the service's user, so that files written beside the data belong to the service. */
export function becomeService(): void {
  if (process.getuid?.() !== 0) return;
  const id = (kind: string) => Number(execFileSync('id', [kind, USER], { stdio: ['ignore', 'pipe', 'ignore'] }));
  let user: number;
  try {
    user = id('-u');
  } catch {
    // No service is installed here.
    return;
  }
  const group = id('-g');
  process.setgroups!([group]);
  process.setegid!(group);
  process.seteuid!(user);
}

/** Works on the operator's file as root, which the service could not open. The work must be synchronous. */
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
