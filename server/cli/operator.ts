import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { USER } from '../service/files.ts';

/** A file that was named where the command was typed. */
export const fileAt = (file: string): string => path.resolve(process.env['INIT_CWD'] || '.', file);

/** Takes the rights of the service's user from root, so that what a command writes beside the data stays the service's. */
export function becomeService(): void {
  if (process.getuid?.() !== 0) return;
  const id = (kind: string) => Number(execFileSync('id', [kind, USER], { stdio: ['ignore', 'pipe', 'ignore'] }));
  let user: number;
  try {
    user = id('-u');
  } catch {
    // Sources, and a machine on which nothing is installed yet.
    return;
  }
  const group = id('-g');
  process.setgroups!([group]);
  process.setegid!(group);
  process.seteuid!(user);
}

/** Work on a file of whoever gave the command, which the service could not read or write. It must be synchronous. */
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
