import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

/**
 * Preload (`node --import`) that writes each change below RECORDED_FOLDER to the file RECORD, in order and with the
 * written bytes. A `Deed` is such a change, or an acknowledgement by the server (`said`).
 */
export type Deed =
  | { readonly op: 'create' | 'mkdir' | 'remove' | 'sync-folder'; readonly at: string }
  | { readonly op: 'rename'; readonly at: string; readonly to: string }
  | { readonly op: 'truncate'; readonly at: string; readonly size: number }
  | { readonly op: 'open'; readonly at: string; readonly handle: string }
  | { readonly op: 'write'; readonly handle: string; readonly position: number; readonly bytes: number }
  | { readonly op: 'truncate-open'; readonly handle: string; readonly size: number }
  | { readonly op: 'sync-open' | 'close'; readonly handle: string }
  | { readonly op: 'said'; readonly what: string };

const { RECORDED_FOLDER: folder, RECORD: record } = process.env;
const original = { ...fs };
const descriptor = record ? original.openSync(record, 'a', 0o600) : undefined;
const handles = new Map<number, { readonly handle: string; readonly at: string; end: number }>();
let opened = 0;

/** Encodes a change or an acknowledgement as bytes of the file RECORD. */
export function recordOf(deed: Deed, payload: Uint8Array = new Uint8Array()): Buffer {
  const header = Buffer.from(JSON.stringify(deed));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, payload]);
}

export function* deedsIn(bytes: Buffer): Generator<{ readonly deed: Deed; readonly payload: Uint8Array }> {
  for (let at = 0; at < bytes.length;) {
    const from = at + 4;
    const until = from + bytes.readUInt32LE(at);
    const deed = JSON.parse(bytes.toString('utf8', from, until)) as Deed;
    at = until + (deed.op === 'write' ? deed.bytes : 0);
    yield { deed, payload: bytes.subarray(until, at) };
  }
}

/** Appends a change in one write, because other threads append to the same file. */
function note(deed: Deed, payload?: Uint8Array): void {
  original.writeSync(descriptor!, recordOf(deed, payload));
}

/** Records that the process has acknowledged something. */
export function say(what: string): void {
  note({ op: 'said', what });
}

/** Returns the path relative to the recorded folder, or undefined outside that folder. */
function within(place: unknown): string | undefined {
  if (typeof place !== 'string') return undefined;
  const relative = path.relative(folder!, path.resolve(place));
  return relative.startsWith('..') || path.isAbsolute(relative) ? undefined : relative;
}

/** Wraps a function of `fs` to record its calls. A call that throws is not recorded. */
function follow(name: keyof typeof fs, then: (parameters: unknown[], result: unknown) => void): void {
  const wrapped = (...parameters: unknown[]) => {
    const result = (original[name] as (...all: unknown[]) => unknown)(...parameters);
    then(parameters, result);
    return result;
  };
  (fs as unknown as Record<string, unknown>)[name] = wrapped;
}

function create(place: string): void {
  note({ op: 'create', at: place });
}

if (folder && descriptor !== undefined) {
  const exists = original.existsSync;
  const openSync = original.openSync;
  fs.openSync = (...parameters: Parameters<typeof openSync>) => {
    const at = within(parameters[0]);
    const isNew = at !== undefined && !exists(parameters[0]);
    const opening = openSync(...parameters);
    if (at === undefined) return opening;
    const handle = `${threadId}-${++opened}`;
    const flags = parameters[1] ?? 'r';
    if (isNew) create(at);
    note({ op: 'open', at, handle });
    const truncates = typeof flags === 'number' ? flags & fs.constants.O_TRUNC : flags.startsWith('w');
    if (truncates && !isNew) note({ op: 'truncate', at, size: 0 });
    handles.set(opening, { handle, at, end: 0 });
    return opening;
  };
  const { promises } = fs;
  const { open } = promises;
  // Records writes through the file handles that server/database/durable-files.ts opens.
  promises.open = async (place, flags, mode) => {
    const file = await open(place, flags, mode);
    const at = within(place);
    if (at === undefined || !String(flags).startsWith('w')) return file;
    const handle = `${threadId}-${++opened}`;
    let end = 0;
    create(at);
    note({ op: 'open', at, handle });
    const followHandle = (name: 'writeFile' | 'sync' | 'datasync' | 'close', then: (bytes: Uint8Array) => void) => {
      const carryOut = file[name].bind(file) as (...parameters: unknown[]) => Promise<void>;
      file[name] = async (...parameters: unknown[]) => {
        await carryOut(...parameters);
        then(parameters[0] as Uint8Array);
      };
    };
    followHandle('writeFile', (bytes) => {
      note({ op: 'write', handle, position: end, bytes: bytes.length }, bytes);
      end += bytes.length;
    });
    for (const name of ['sync', 'datasync'] as const) followHandle(name, () => note({ op: 'sync-open', handle }));
    followHandle('close', () => note({ op: 'close', handle }));
    return file;
  };
  const about = (number: unknown) => handles.get(number as number);
  follow('closeSync', ([number]) => {
    const known = about(number);
    if (known) note({ op: 'close', handle: known.handle });
    handles.delete(number as number);
  });
  follow('writeSync', ([number, buffer, offset, length, position], written) => {
    const known = about(number);
    if (!known) return;
    const { byteOffset, buffer: memory } = buffer as Uint8Array;
    const bytes = new Uint8Array(
      memory,
      byteOffset + (offset as number),
      Math.min(length as number, written as number),
    );
    const at = typeof position === 'number' ? position : known.end;
    known.end = at + bytes.length;
    note({ op: 'write', handle: known.handle, position: at, bytes: bytes.length }, bytes);
  });
  follow('ftruncateSync', ([number, size]) => {
    const known = about(number);
    if (known) note({ op: 'truncate-open', handle: known.handle, size: (size as number | undefined) ?? 0 });
  });
  follow('truncateSync', ([place, size]) => {
    const at = within(place);
    if (at !== undefined) note({ op: 'truncate', at, size: (size as number | undefined) ?? 0 });
  });
  follow('fsyncSync', ([number]) => {
    const known = about(number);
    if (!known) return;
    if (original.fstatSync(number as number).isDirectory()) note({ op: 'sync-folder', at: known.at });
    else note({ op: 'sync-open', handle: known.handle });
  });
  // Node’s writeFileSync calls the recorded functions only for bytes, so a text is first turned into bytes.
  const writeFileSync = original.writeFileSync;
  fs.writeFileSync = (place, contents, options) => {
    writeFileSync(place, typeof contents === 'string' ? Buffer.from(contents) : contents, options);
  };
  follow('mkdirSync', ([place, options], first) => {
    const at = within(place);
    // A recursive mkdirSync returns the topmost folder that it made, or undefined if all existed.
    const isDeep = typeof options === 'object' && (options as { recursive?: boolean }).recursive;
    const highest = isDeep ? within(first) : at;
    if (at === undefined || highest === undefined) return;
    const parts = path.relative(highest, at).split(path.sep).filter(Boolean);
    for (let depth = 0; depth <= parts.length; depth += 1)
      note({ op: 'mkdir', at: path.join(highest, ...parts.slice(0, depth)) });
  });
  for (const name of ['unlinkSync', 'rmdirSync', 'rmSync'] as const)
    follow(name, ([place]) => {
      const at = within(place);
      if (at !== undefined) note({ op: 'remove', at });
    });
  follow('renameSync', ([from, to]) => {
    const [at, there] = [within(from), within(to)];
    if (at !== undefined && there !== undefined) note({ op: 'rename', at, to: there });
  });
  // Changes by these functions are not recorded, so each function throws if it would write into the recorded folder.
  for (const name of ['symlinkSync', 'linkSync', 'cpSync', 'copyFileSync'] as const)
    follow(name, ([, place]) => {
      if (within(place) !== undefined) throw new Error(`${name} is not recorded`);
    });
  syncBuiltinESMExports();
}
