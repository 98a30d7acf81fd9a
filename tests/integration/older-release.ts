import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { madeOnce, SHORT_LIVED } from '../run-folder.ts';
import { done } from './releases.ts';

// The server as it was at some commit of this repository, run over a directory of data: its own code, with the packages
// of today, of which PGlite is the same.

/** Empty where the commit is in what was cloned. */
export function whyNot(commit: string): string {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]);
  return status === 0 ? '' : `left out: ${commit} is not in this clone (git fetch --unshallow)`;
}

const WORK = `
const [release, DATA_DIR, text] = process.argv.slice(2);
const { openBackend } = await import(release + '/server/backend.ts');
const { readSettings } = await import(release + '/server/settings.ts');
const settings = readSettings({ DATA_DIR, RATE_LIMIT_PER_ADDRESS: '0' });
const backend = await openBackend(settings);
const key = typeof backend.serviceKey === 'string' ? backend.serviceKey : await backend.serviceKey();
const ask = (where, options) => backend.answer(new Request('http://localhost/rest/v1/quotes?' + where, options), '203.0.113.1');
const sent = [];
for (const quote of JSON.parse(text)) {
  const headers = { apikey: settings.anonKey, 'content-type': 'application/json', prefer: 'resolution=ignore-duplicates,return=representation', 'x-submission-id': quote.id };
  sent.push((await ask('on_conflict=id', { method: 'POST', headers, body: JSON.stringify(quote) })).status);
}
const listed = await (await ask('select=id', { headers: { apikey: key } })).json();
await backend.close();
console.log(JSON.stringify({ sent, ids: listed.map(({ id }) => id).sort() }));
`;

/** Opens the data with that release, sends these quotes, and says how each ended and which quotes there are then. */
export async function withOlder(commit: string, dataDir: string, quotes: readonly object[]) {
  const release = await madeOnce(`older-${commit}`, async (folder) => {
    mkdirSync(folder, { recursive: true });
    const unpack = `git archive ${commit} server src build supabase package.json | tar -x -C '${folder}'`;
    if (spawnSync('sh', ['-c', unpack]).status !== 0) throw new Error(`${commit} could not be unpacked.`);
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'work.mjs'), WORK);
  });
  const words = [SHORT_LIVED, path.join(release, 'work.mjs'), release, dataDir, JSON.stringify(quotes)];
  const stdout = await done('.', process.execPath, words);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as { sent: number[]; ids: string[] };
}
