import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export interface Question {
  /** Of the variable that may have it already. */
  readonly name: string;
  readonly asks: string;
  /** It is not shown while it is typed. */
  readonly isSecret?: boolean;
  readonly isRight: (value: string) => boolean;
}

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** What the environment has, and for the rest what is typed; without a terminal an error that names what is missing. */
export async function askFor<Name extends string>(
  questions: readonly (Question & { readonly name: Name })[],
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<Record<Name, string>> {
  const given = new Map<Name, string>();
  const missing: typeof questions = questions.filter((question) => {
    const value = environment[question.name]?.trim();
    if (!value) return true;
    // Never with its value: it may be a password.
    if (!question.isRight(value)) throw new Error(`${question.name} is set, but it is not this: ${question.asks}.`);
    given.set(question.name, value);
    return false;
  });
  if (missing.length > 0 && !terminal.input.isTTY)
    throw new Error(`Set ${missing.map(({ name, asks }) => `\n  ${name}: ${asks}`).join('')}`);
  for (const question of missing) given.set(question.name, await ask(question, terminal));
  return Object.fromEntries(given) as Record<Name, string>;
}

async function ask({ asks, isSecret = false, isRight }: Question, { input, output }: Terminal): Promise<string> {
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
      output.write(`${asks}: `);
      isSilent = isSecret;
      const value = (await lines.question('')).trim();
      isSilent = false;
      if (isSecret) output.write('\n');
      if (isRight(value)) return value;
      output.write('That is none.\n');
    }
  } finally {
    lines.close();
  }
}
