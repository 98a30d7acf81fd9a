import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What somebody wrote into a form, or signed up as, must not write to this terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/** The words that were typed are no use of the command: nothing was done. */
export class UsageError extends Error {}

/** The kinds of options. */
export const FLAG = { type: 'boolean', default: false } as const;
export const TEXT = { type: 'string' } as const;

/** Rows as lines, each cell under the one before; without widths, as wide as the longest are. */
export function aligned(
  rows: readonly (readonly string[])[],
  widths: readonly number[] = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))),
): string {
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

export function parseOptions<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A command ends with a sentence where it fails: 2 where it was called wrongly, else 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // Whoever reads may have had enough, as `head` has: what was begun is done all the same.
    if (code === 'EPIPE') return;
    console.error(`What was asked for could not be written: ${message}`);
    process.exit(1);
  });
  try {
    await run();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
