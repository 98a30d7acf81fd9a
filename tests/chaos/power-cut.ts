import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { carryOut, openPglite } from '../../server/database/pglite.ts';
import { chanceFrom } from '../chance.ts';
import { asInsert, INSERT, sampleQuote } from '../integration/sample-quote.ts';

/**
 * `npm run power-cut`: the server on a disk of its own, an ext4 in a file of an XFS. A cut is a clone of that file at a
 * chance moment, which has what had reached the disk and nothing of what was only in memory; the server is then
 * started on the clone, and cut a second time while it recovers.
 */
const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '20' },
    /** Of quotes before a cut, at the most. */
    seconds: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});
const chance = chanceFrom(Number(values.seed));
/** The first start, a stream of quotes, a purge amid them, and a restore. */
const KINDS = ['first start', 'quotes', 'quotes', 'purge', 'restore'] as const;
const PHONES = 6;

const base = mkdtempSync(path.join(tmpdir(), 'power-cut-'));
const disks = path.join(base, 'disks');
const mounted: string[] = [];
const running = new Set<ChildProcess>();

const shell = (command: string, ...parameters: string[]) =>
  execFileSync(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

function mount(image: string, place: string): string {
  mkdirSync(place, { recursive: true });
  shell('mount', '-o', 'loop', image, place);
  mounted.push(place);
  return place;
}

function unmount(place: string): void {
  shell('umount', place);
  mounted.splice(mounted.indexOf(place), 1);
}

function makeDisks(): void {
  const outer = path.join(base, 'outer.img');
  shell('truncate', '-s', '8G', outer);
  shell('mkfs.xfs', '-q', '-m', 'reflink=1', outer);
  mount(outer, disks);
}

/** A script of the server; what it says is gathered. */
function run(script: string, data: string, parameters: readonly string[] = []) {
  const limits = { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_OVERALL: '0' };
  // Nobody's own settings: a hosted project in the environment would be another database than the one that is cut.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...limits, PORT: '0', DATA_DIR: data };
  const child = spawn(process.execPath, [`server/${script === 'main' ? script : `cli/${script}`}.ts`, ...parameters], {
    env,
  });
  running.add(child);
  const process_ = { child, said: '', ended: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (process_.said += text));
  void process_.ended.then(() => running.delete(child));
  return process_;
}

async function addressOf(server: ReturnType<typeof run>): Promise<string> {
  for (;;) {
    const address = /AeroPuente is at (\S+)/.exec(server.said)?.[1];
    if (address && !server.said.includes('stay on the phones')) return address;
    if (server.child.exitCode !== null || server.said.includes('stay on the phones')) throw new Error(server.said);
    await wait(20);
  }
}

async function send(address: string, acknowledged: Set<string>): Promise<void> {
  const quote = sampleQuote();
  const answer = await fetch(`${address}${INSERT}`, asInsert(quote)).catch(() => undefined);
  if (answer?.status === 201) acknowledged.add(quote.id);
}

/** What is lost of these on a disk as it was left; the database must open by itself. */
async function missing(data: string, acknowledged: ReadonlySet<string>): Promise<number> {
  const pglite = await openPglite(path.join(data, 'database'));
  const sql = 'select id::text from public.quotes where id = any ($1::uuid[])';
  const rows = await carryOut(pglite, [{ sql, parameters: [[...acknowledged]] }], 'read');
  await pglite.close();
  return acknowledged.size - rows.length;
}

interface Result {
  readonly kind: string;
  readonly after: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly wrong: string;
}

async function cut(number: number, backup: string): Promise<Result> {
  const kind = KINDS[number % KINDS.length]!;
  const image = path.join(disks, `disk-${number}.img`);
  shell('truncate', '-s', '700M', image);
  shell('mkfs.ext4', '-q', '-F', image);
  const place = mount(image, path.join(base, `at-${number}`));
  const data = path.join(place, 'data');
  const acknowledged = new Set<string>();
  const server = run(kind === 'restore' ? 'backup' : 'main', data, kind === 'restore' ? ['restore', backup] : []);
  const now = { over: false };
  let wrong = '';
  const began = Date.now();
  const phones =
    kind === 'restore' || kind === 'first start'
      ? []
      : Array.from({ length: PHONES }, async () => {
          const address = await addressOf(server);
          while (!now.over) await send(address, acknowledged);
        });
  if (phones.length > 0) await addressOf(server);
  const longest = kind === 'quotes' || kind === 'purge' ? Number(values.seconds) * 1000 : 6000;
  const moment = wait(longest * (0.2 + 0.8 * chance()));
  if (kind === 'purge') await purgeOne(data, acknowledged);
  await moment;
  const before = new Set(acknowledged);
  const isRestored = server.said.includes(' quotes of ');
  const after = (Date.now() - began) / 1000;
  const clone = clonedFrom(image, 'clone');
  now.over = true;
  server.child.kill('SIGKILL');
  await Promise.all([server.ended, ...phones]);
  unmount(place);

  // The second cut, while the first is recovered from.
  const first = mount(clone, path.join(base, `clone-${number}`));
  const recovering = run('main', path.join(first, 'data'));
  await wait(3000 * chance());
  const second = clonedFrom(clone, 'second');
  recovering.child.kill('SIGKILL');
  await recovering.ended;
  unmount(first);
  const left = mount(second, path.join(base, `second-${number}`));
  let lost = 0;
  try {
    const again = run('main', path.join(left, 'data'));
    await addressOf(again);
    again.child.kill('SIGTERM');
    await again.ended;
    if (kind === 'restore' && isRestored) for (const id of inBackup) before.add(id);
    lost = await missing(path.join(left, 'data'), before);
  } catch (error) {
    wrong = String(error).split('\n').slice(0, 3).join(' ').slice(0, 300);
    lost = before.size;
  }
  unmount(left);
  for (const each of [image, clone, second]) rmSync(each);
  return { kind, after, acknowledged: before.size, lost, wrong };
}

function clonedFrom(image: string, name: string): string {
  const clone = `${image}.${name}`;
  shell('cp', '--reflink=always', image, clone);
  return clone;
}

async function purgeOne(data: string, acknowledged: Set<string>): Promise<void> {
  while (acknowledged.size === 0) await wait(20);
  const [id] = acknowledged;
  acknowledged.delete(id!);
  await run('quotes', data, ['block', id!]).ended;
  void run('quotes', data, ['purge', id!]);
}

/** A backup with some quotes, made where nothing is cut. */
const inBackup = new Set<string>();
async function makeBackup(): Promise<string> {
  const [data, file] = [path.join(base, 'whole'), path.join(base, 'backup.tar.gz')];
  const server = run('main', data);
  const address = await addressOf(server);
  for (let count = 0; count < 20; count += 1) await send(address, inBackup);
  const backup = run('backup', data, ['backup', file]);
  await backup.ended;
  server.child.kill('SIGTERM');
  await server.ended;
  readFileSync(file);
  return file;
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux, and its loop mounts';
  if (process.getuid?.() !== 0) return 'it needs root, for loop mounts';
  try {
    shell('mkfs.xfs', '-V');
    shell('mkfs.ext4', '-V');
  } catch {
    return 'it needs mkfs.xfs and mkfs.ext4 (on Debian: xfsprogs, e2fsprogs)';
  }
  try {
    makeDisks();
  } catch (error) {
    return `this machine mounts no file as a disk (${(error as Error).message.split('\n')[1] ?? String(error)})`;
  }
  return undefined;
}

const reason = whyNot();
if (reason) {
  console.log(`No power was cut: ${reason}. The disk that forgets is cut in "npx vitest run power-cut".`);
  rmSync(base, { recursive: true, force: true });
  process.exit(0);
}
const results: Result[] = [];
try {
  const backup = await makeBackup();
  for (let number = 0; number < Number(values.cuts); number += 1) {
    const result = await cut(number, backup);
    results.push(result);
    const { kind, after, acknowledged, lost, wrong } = result;
    console.log(
      `${String(number + 1).padStart(3)}  ${kind.padEnd(11)}  after ${after.toFixed(1).padStart(4)} s  ` +
        `${String(acknowledged).padStart(5)} acknowledged  ${lost} lost  ${wrong}`,
    );
  }
} finally {
  for (const child of running) child.kill('SIGKILL');
  await wait(500);
  for (const place of mounted.toReversed()) shell('umount', '-l', place);
  rmSync(base, { recursive: true, force: true });
}
const sum = (of: (result: Result) => number) => results.reduce((all, result) => all + of(result), 0);
const dead = sum(({ wrong }) => (wrong ? 1 : 0));
const lost = sum((result) => result.lost);
console.log(
  `seed ${values.seed}: ${results.length} cuts and as many in the recovery, ${sum((result) => result.acknowledged)} acknowledged, ` +
    `${lost} lost, ${dead} databases that did not open`,
);
process.exit(lost + dead > 0 ? 1 : 0);
