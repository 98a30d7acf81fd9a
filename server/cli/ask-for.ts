import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { localize, OperatorError } from '../language.ts';

export interface Question {
  /** Environment variable that may already hold the answer. */
  readonly name: string;
  readonly asks: Bilingual;
  readonly isSecret?: boolean;
  readonly isValid: (value: string) => boolean;
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Takes answers from the environment, and asks the operator for the missing ones. Without a terminal, throws an error
 * that names the missing answers.
 */
export async function askFor<Name extends string>(
  questions: readonly (Question & { readonly name: Name })[],
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<Record<Name, string>> {
  const answers = new Map<Name, string>();
  const missing: typeof questions = questions.filter((question) => {
    const value = environment[question.name]?.trim();
    if (!value) return true;
    // The error omits the value, which may be a password.
    if (!question.isValid(value))
      throw new OperatorError({
        es: `${question.name} tiene un valor que no sirve. Debe ser: ${mainWords(question.asks)}.`,
        en: `${question.name} has a value that cannot be used. It must be: ${englishWords(question.asks)}.`,
      });
    answers.set(question.name, value);
    return false;
  });
  if (missing.length > 0 && !terminal.input.isTTY)
    throw new OperatorError({
      es: `Faltan estos ajustes:${listOf(missing, mainWords)}`,
      en: `These settings are missing:${listOf(missing, englishWords)}`,
    });
  for (const question of missing) answers.set(question.name, await ask(question, terminal));
  return Object.fromEntries(answers) as Record<Name, string>;
}

const listOf = (questions: readonly Question[], wordsOf: (text: Bilingual) => string) =>
  questions.map(({ name, asks }) => `\n  ${name}: ${wordsOf(asks)}`).join('');

async function ask({ asks, isSecret = false, isValid }: Question, { input, output }: Terminal): Promise<string> {
  let isSilent = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isSilent) output.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output: shown, terminal: true });
  try {
    for (;;) {
      output.write(`${localize(asks)}: `);
      isSilent = isSecret;
      const value = (await lines.question('')).trim();
      isSilent = false;
      if (isSecret) output.write('\n');
      if (isValid(value)) return value;
      output.write(localize({ es: 'Ese valor no sirve.\n', en: 'This value cannot be used.\n' }));
    }
  } finally {
    lines.close();
  }
}
