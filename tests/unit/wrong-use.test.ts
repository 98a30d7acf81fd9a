import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readCommand } from '../../server/cli/lead-commands.ts';
import { readListing } from '../../server/cli/listing.ts';
import { readStaffRequest } from '../../server/cli/staff-request.ts';
import { UsageError } from '../../server/cli/command.ts';

// Tests of wrong arguments to `aeropuente quotes` and `aeropuente staff`.

const ANA = 'ana@ejemplo.mx';
const FOLIO = 'AP-5D7E-JYAM';
const PRICED = ['answer', FOLIO, '--text', 'x', '--for', 'kilo', '--currency', 'USD', '--until', '2999-11-28'];
const OFFERED = ['answer', FOLIO, '--text', 'x', '--price', '4.10', '--for', 'kilo', '--currency', 'usd'];
const PARTS = 'An offer needs --price, --for, --currency and --until; a message has none of them.';

const errorOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return 'It was understood.';
};

test.each<[words: string[], sentence: string]>([
  [['--folow'], "Unknown option '--folow'"],
  [['--since', 'yesterday'], '--since takes 30m, 2h, 3d or a date such as 2026-11-21, not "yesterday".'],
  [['--since', '2026-02-31'], 'or a date such as 2026-11-21, not "2026-02-31".'],
  [['--since', '999999d'], 'or a date such as 2026-11-21, not "999999d".'],
  [['--json', '--csv'], 'Choose one of --json and --csv.'],
  [['AP-1234-5678'], '"AP-1234-5678" is not a folio'],
  [['block'], 'block needs a folio, such as AP-5D7E-JYAM.'],
  [['purge', FOLIO, '--force'], "Unknown option '--force'"],
  [['answer', FOLIO], 'answer needs --text "…": the text that the customer reads.'],
  [['answer', FOLIO, '--text', '\u200b\n'], 'answer needs --text "…": the text that the customer reads.'],
  [['answer', FOLIO, '--text', 'x'.repeat(4001)], '--text takes 4000 characters; this has 4001.'],
  [['answer', FOLIO, '--text', 'x', '--as', 'x'.repeat(101)], '--as takes 100 characters; this has 101.'],
  [['answer', FOLIO, '--text', 'x', '--price', '4.10'], PARTS],
  [['answer', FOLIO, '--text', 'x', '--kilos', '1200'], PARTS],
  [OFFERED, PARTS],
  [[...PRICED, '--price', '1', '--kilos', '1,200'], '--kilos takes a whole number such as 1200, not "1,200".'],
  [[...PRICED, '--price', '1', '--kilos', '1000001'], '--kilos takes a whole number such as 1200, not "1000001".'],
  [[...PRICED, '--price', '4,10'], '--price takes a number such as 4.10, not "4,10".'],
  [[...PRICED, '--price', '0.005'], '--price takes a number such as 4.10, not "0.005".'],
  [[...PRICED, '--price', '1000000000'], '--price takes a number such as 4.10, not "1000000000".'],
  [[...PRICED, '--price', '0'], '--price takes a number such as 4.10, not "0".'],
  [[...PRICED, '--price', '1', '--for', 'ton'], '--for takes kilo or total, not "ton".'],
  [[...PRICED, '--price', '1', '--currency', 'EUR'], '--currency takes USD, MXN or CNY, not "EUR".'],
  [[...OFFERED, '--until', '2020-01-01'], '--until takes a day from today on, such as 20'],
  [[...OFFERED, '--until', '2999-02-30'], 'not "2999-02-30".'],
  [[...OFFERED, '--until', '10000-01-01'], 'not "10000-01-01".'],
])('the command aeropuente quotes refuses %j and explains the mistake', (words, sentence) => {
  expect(errorOf(() => readCommand(words) ?? readListing(words))).toContain(sentence);
});

test.each<[words: string[], sentence: string]>([
  [[], 'Name an action: add, list, password, remove, grant, supervisor, agent, factor. --help says more.'],
  [['hire', ANA], '"hire" is not an action. There are: add, list, password, remove,'],
  [['add'], 'Name an e-mail address, such as ana@ejemplo.mx.'],
  [['add', 'ana'], '"ana" is not an e-mail address.'],
  [['add', `${'x'.repeat(100)}@ejemplo.mx`], 'is not an e-mail address.'],
  [['add', ANA, 'Ana'], '"Ana" is one word too many. A name goes in quotes: --name "Ana Ruiz".'],
  [['add', ANA, '--name', ''], 'A name has 1 to 100 characters, on one line.'],
  [['add', ANA, '--name', 'a\nb'], 'A name has 1 to 100 characters, on one line.'],
  [['factor', ANA], 'A second step can only be removed: aeropuente staff factor remove ana@ejemplo.mx.'],
  [['remove', ANA, '--name', 'Ana'], '--name goes only with "add".'],
  [['add', ANA, '--admin'], "Unknown option '--admin'"],
])('the command aeropuente staff refuses %j and explains the mistake', (words, sentence) => {
  expect(errorOf(() => readStaffRequest(words))).toContain(sentence);
});

test('the word “constructor” is refused as a command, although every object has this property', () => {
  const { status, stderr } = spawnSync(process.execPath, ['server/cli/aeropuente.ts', 'constructor']);
  expect([status, String(stderr)]).toEqual([2, expect.stringContaining('There is no command "constructor".')]);
});

test.each([
  ["parseOptions({ args: ['--folow'] })", 'No existe la opción --folow. --help muestra las que hay.'],
  ["parseOptions({ args: ['hoy'] })", '"hoy" sobra.'],
  [
    "parseOptions({ args: ['--since'], options: { since: TEXT } })",
    'A la opción --since le falta o le sobra un valor, o su valor empieza con un guion.',
  ],
  ["readFileSync('/nowhere/file')", 'No se pudo usar /nowhere/file (ENOENT'],
])('a Spanish command explains the failure of %s in Spanish', (step, sentence) => {
  const command = `
    import { readFileSync } from 'node:fs';
    import { parseOptions, runCommand, TEXT } from './server/cli/command.ts';
    await runCommand(async () => ${step});`;
  const env = { ...process.env, LC_ALL: 'es_MX.UTF-8' };
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', command], { env, encoding: 'utf8' });
  expect(stderr).toContain(sentence);
});

test('a command runs to its end although the reader of its output is gone', async () => {
  const command = `
    import { setTimeout as wait } from 'node:timers/promises';
    import { runCommand } from './server/cli/command.ts';
    await runCommand(async () => {
      await wait(100);
      for (const step of [1, 2, 3]) {
        console.log(step);
        await wait(20);
      }
      console.error('all of it is done');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text));
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number];
  expect([code, errors]).toEqual([0, 'all of it is done\n']);
});

test.each([
  ['90m', '2026-11-21T10:30:00Z'],
  ['2h', '2026-11-21T10:00:00Z'],
  ['2d', '2026-11-19T12:00:00Z'],
  ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z'],
  // A date without a time means midnight in this machine’s time zone.
  ['2026-11-20', '2026-11-20T00:00'],
])('aeropuente quotes --since %s, at noon UTC on 21 November, lists quotes from %s on', (typed, since) => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(readListing(['--since', typed])?.since).toEqual(new Date(since));
});
