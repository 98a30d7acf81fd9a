import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { localize, OperatorError } from '../language.ts';

// Commands print and fail through this module, which takes each sentence in both languages; the linter refuses `console`
// and `Error` in the other files of this folder.

/** Replaces control characters, by which text of a visitor could write to this terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/** Wrong words or options of a command, which did nothing. */
export class UsageError extends OperatorError {}

export const print = (text: Bilingual): void => printData(localize(text));

/** Prints a line of data, which has no language. */
export const printData = (line: string): void => console.log(line);

/** Prints to stderr, so that stdout carries only the data. */
export const printBeside = (text: Bilingual): void => console.error(localize(text));

/** Text without Spanish: of Node, or of a developers' command. */
export const inEnglish = (text: string): Bilingual => ({ es: text, en: text });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const FLAG = { type: 'boolean', default: false } as const;
export const TEXT = { type: 'string' } as const;

/** Formats rows as lines with aligned columns. Without `widths` each column is as wide as its longest cell. */
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
    throw new UsageError(inEnglish(messageOf(error)));
  }
}

/** Runs a command. A failure ends the process with its sentence: exit code 2 after a UsageError, otherwise 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // The reader may stop early, such as `head`; the work goes on.
    if (code === 'EPIPE') return;
    printBeside({ es: `No se pudo escribir la salida: ${message}`, en: `The output could not be written: ${message}` });
    process.exit(1);
  });
  try {
    await run();
  } catch (error) {
    console.error(messageOf(error));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
