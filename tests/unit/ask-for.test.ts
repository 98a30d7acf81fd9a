import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askFor } from '../../server/cli/ask-for.ts';

const QUESTIONS = [
  { name: 'PLACE', asks: { es: 'Dónde', en: 'Where' }, isValid: (value: string) => value.length > 2 },
  {
    name: 'WORD',
    asks: { es: 'La contraseña', en: 'The password' },
    isSecret: true,
    isValid: (value: string) => value.startsWith('secret'),
  },
] as const;

function typing(...lines: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (text: Buffer) => {
    shown += text;
    if (text.toString().endsWith(': ')) setImmediate(() => input.write(`${lines.shift()}\r`));
  });
  return { terminal: { input, output }, shown: () => shown };
}

test('a command asks only for settings that the environment lacks, and hides typed secrets', async () => {
  const { terminal, shown } = typing('secret words');
  expect(await askFor(QUESTIONS, { PLACE: ' here ' }, terminal)).toEqual({ PLACE: 'here', WORD: 'secret words' });
  expect(shown()).toContain('The password: ');
  expect(shown()).not.toContain('Where');
  expect(shown()).not.toContain('secret');
});

test('a command repeats its question after an unusable answer', async () => {
  const { terminal, shown } = typing('x', 'there', 'wrong', 'secret');
  expect(await askFor(QUESTIONS, {}, terminal)).toEqual({ PLACE: 'there', WORD: 'secret' });
  expect(shown().match(/This value cannot be used\./g)).toHaveLength(2);
});

test('a command without a terminal names missing settings, and prints no wrong values', async () => {
  const terminal = { input: new PassThrough(), output: new PassThrough() };
  await expect(askFor(QUESTIONS, {}, terminal)).rejects.toThrow(
    'These settings are missing:\n  PLACE: Where\n  WORD: The password',
  );
  await expect(askFor(QUESTIONS, { WORD: 'a wrong one' }, terminal)).rejects.toThrow(
    /^WORD has a value that cannot be used\. It must be: The password\.$/,
  );
});
