import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { localize, OperatorError } from '../language.ts';

// All commands print and fail through this file, which takes each sentence in Spanish and English. The linter refuses
// `console` and `Error` in the other files of this folder.

/** Replaces control characters, because a visitor's text could otherwise control the operator's terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

export class UsageError extends OperatorError {}

export const print = (text: Bilingual): void => printData(localize(text));

export const printData = (line: string): void => console.log(line);

/** Prints to stderr, because stdout is only for data. */
export const printBeside = (text: Bilingual): void => console.error(localize(text));

export const inEnglish = (text: string): Bilingual => ({ es: text, en: text });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const FLAG = { type: 'boolean', default: false } as const;
export const TEXT = { type: 'string' } as const;

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
    throw new UsageError(mistakeIn(error as NodeJS.ErrnoException));
  }
}

/**
 * Describes wrong command-line arguments in Spanish and English. Node's message, which is in English, quotes the wrong
 * option or word.
 */
function mistakeIn({ code, message }: NodeJS.ErrnoException): Bilingual {
  const word = /'(.*?)(?: <value>)?'/.exec(message)?.[1];
  const mistakes: Record<string, string> = {
    ERR_PARSE_ARGS_UNKNOWN_OPTION: `No existe la opción ${word}. --help muestra las que hay.`,
    ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: `"${word}" sobra.`,
    ERR_PARSE_ARGS_INVALID_OPTION_VALUE: `A la opción ${word} le falta o le sobra un valor, o su valor empieza con un guion.`,
  };
  return { es: mistakes[code!] ?? message, en: message };
}

/** Describes a failure, which may be one of the file system. */
function failureIn(error: unknown): string {
  const { path, message } = error as NodeJS.ErrnoException;
  return path
    ? localize({ es: `No se pudo usar ${path} (${message}).`, en: `${path} could not be used (${message}).` })
    : messageOf(error);
}

/** Runs a command. After a failure, prints its message and ends with exit code 1, or 2 for a UsageError. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A program that reads the output, such as `head`, may end early. The command continues.
    if (code === 'EPIPE') return;
    printBeside({ es: `No se pudo escribir la salida: ${message}`, en: `The output could not be written: ${message}` });
    process.exit(1);
  });
  try {
    await run();
  } catch (error) {
    console.error(failureIn(error));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
