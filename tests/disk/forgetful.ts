import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './recorded.ts';

/** Bytes of a sector. A disk writes a sector completely or not at all, and PostgreSQL relies on this. */
const SECTOR = 512;
/** Probabilities that a write without a sync survives a power cut. */
export const ODDS = [0, 0.2, 0.5, 0.8, 1];

interface Write {
  readonly position: number;
  readonly bytes: Uint8Array;
}

type Change = Write | { readonly size: number };

interface File {
  kept: Buffer;
  /** Changes since the last sync. */
  changes: Change[];
}

interface Folder {
  readonly kept: Map<string, Item>;
  readonly names: Map<string, Item>;
}

type Item = File | Folder;

/** Change of file names. A power cut loses or keeps the whole change. */
interface Naming {
  readonly folders: readonly Folder[];
  readonly apply: (namesIn: (folder: Folder) => Map<string, Item>) => void;
}

/**
 * Disk that may lose all unsynced writes at a power cut: sectors of files, and names in folders. A new name survives
 * for certain only after a sync of its folder, even if the file was synced.
 */
export class ForgetfulDisk {
  readonly #root: Folder;
  readonly #handles = new Map<string, Item>();
  #namings: Naming[] = [];

  /** Starts with a copy of the folder `base`, all of which counts as synced. */
  constructor(base?: string) {
    this.#root = base ? load(base) : folderOf(new Map());
  }

  carryOut(deed: Deed, payload: Uint8Array): void {
    switch (deed.op) {
      case 'create':
        if (!this.#find(deed.at)) this.#name(deed.at, { kept: Buffer.alloc(0), changes: [] });
        break;
      case 'mkdir':
        if (!this.#find(deed.at)) this.#name(deed.at, folderOf(new Map()));
        break;
      case 'remove':
        this.#remove(deed.at);
        break;
      case 'rename':
        this.#rename(deed.at, deed.to);
        break;
      case 'open':
        this.#handles.set(deed.handle, this.#find(deed.at)!);
        break;
      case 'close':
        this.#handles.delete(deed.handle);
        break;
      case 'write':
        this.#opened(deed.handle).changes.push({ position: deed.position, bytes: payload });
        break;
      case 'truncate':
        fileOf(this.#find(deed.at)).changes.push({ size: deed.size });
        break;
      case 'truncate-open':
        this.#opened(deed.handle).changes.push({ size: deed.size });
        break;
      case 'sync-open':
        keep(this.#opened(deed.handle));
        break;
      case 'sync-folder':
        this.#syncFolder(folderAt(this.#find(deed.at)));
        break;
      case 'said':
    }
  }

  /** Writes a possible state after a power cut to an empty folder. Unsynced writes survive with probability `odds`. */
  leaveIn(place: string, odds: number, chance: () => number): void {
    const names = new Map<Folder, Map<string, Item>>();
    const namesIn = (folder: Folder) => {
      const found = names.get(folder) ?? new Map(folder.kept);
      names.set(folder, found);
      return found;
    };
    for (const naming of this.#namings) if (chance() < odds) naming.apply(namesIn);
    const leave = (folder: Folder, at: string) => {
      for (const [name, item] of namesIn(folder)) {
        const there = path.join(at, name);
        if ('names' in item) {
          mkdirSync(there, { mode: 0o700 });
          leave(item, there);
        } else write(there, item.changes.length > 0 ? whatIsLeft(item, odds, chance) : item.kept);
      }
    };
    leave(this.#root, place);
  }

  #find(at: string): Item | undefined {
    let item: Item | undefined = this.#root;
    for (const part of path
      .normalize(at)
      .split(path.sep)
      .filter((each) => each && each !== '.'))
      item = item && 'names' in item ? item.names.get(part) : undefined;
    return item;
  }

  #opened(handle: string): File {
    return fileOf(this.#handles.get(handle));
  }

  #note(folders: readonly Folder[], apply: Naming['apply']): void {
    apply((folder) => folder.names);
    this.#namings.push({ folders, apply });
  }

  #name(at: string, item: Item): void {
    const [folder, name] = [folderAt(this.#find(path.dirname(at))), path.basename(at)];
    this.#note([folder], (namesIn) => namesIn(folder).set(name, item));
  }

  #remove(at: string): void {
    const item = this.#find(at);
    if (!item) return;
    if ('names' in item) for (const name of item.names.keys()) this.#remove(path.join(at, name));
    const [folder, name] = [folderAt(this.#find(path.dirname(at))), path.basename(at)];
    this.#note([folder], (namesIn) => {
      if (namesIn(folder).get(name) === item) namesIn(folder).delete(name);
    });
  }

  #rename(at: string, to: string): void {
    const item = this.#find(at)!;
    const [from, there] = [folderAt(this.#find(path.dirname(at))), folderAt(this.#find(path.dirname(to)))];
    this.#note([from, there], (namesIn) => {
      if (namesIn(from).get(path.basename(at)) !== item) return;
      namesIn(from).delete(path.basename(at));
      namesIn(there).set(path.basename(to), item);
    });
  }

  #syncFolder(folder: Folder): void {
    const isOfIt = ({ folders }: Naming) => folders.includes(folder);
    for (const naming of this.#namings.filter(isOfIt)) naming.apply(({ kept }) => kept);
    this.#namings = this.#namings.filter((naming) => !isOfIt(naming));
  }
}

/** Writes a file, but leaves out the zeros at its end: a new database log has megabytes of zeros. */
function write(file: string, bytes: Buffer): void {
  let end = bytes.length;
  while (end >= ZEROS.length && bytes.subarray(end - ZEROS.length, end).equals(ZEROS)) end -= ZEROS.length;
  writeFileSync(file, bytes.subarray(0, end));
  if (end < bytes.length) truncateSync(file, bytes.length);
}

const ZEROS = Buffer.alloc(65_536);

const folderOf = (names: Map<string, Item>): Folder => ({ names, kept: new Map(names) });

function load(place: string): Folder {
  const entries = readdirSync(place, { withFileTypes: true }).map((entry) => {
    const there = path.join(place, entry.name);
    return [entry.name, entry.isDirectory() ? load(there) : { kept: readFileSync(there), changes: [] }] as const;
  });
  return folderOf(new Map<string, Item>(entries));
}

function fileOf(item: Item | undefined): File {
  if (!item || 'names' in item) throw new Error('The record speaks of a file that is not there');
  return item;
}

function folderAt(item: Item | undefined): Folder {
  if (!item || !('names' in item)) throw new Error('The record speaks of a folder that is not there');
  return item;
}

function keep(file: File): void {
  const grows = file.changes.some(
    (change) => 'size' in change || change.position + change.bytes.length > file.kept.length,
  );
  if (grows) file.kept = carriedOut(file.kept, file.changes);
  else for (const change of file.changes) if ('bytes' in change) file.kept.set(change.bytes, change.position);
  file.changes = [];
}

function whatIsLeft({ kept, changes }: File, odds: number, chance: () => number): Buffer {
  const left = changes.flatMap<Change>((change) => {
    if ('size' in change) return chance() < odds ? [change] : [];
    return sectorsOf(change).filter(() => chance() < odds);
  });
  return carriedOut(kept, left);
}

function sectorsOf({ position, bytes }: Write): Write[] {
  const sectors: Write[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + SECTOR - ((position + at) % SECTOR));
    sectors.push({ position: position + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return sectors;
}

function carriedOut(before: Buffer, changes: readonly Change[]): Buffer {
  let size = before.length;
  let largest = size;
  for (const change of changes) {
    size = 'size' in change ? change.size : Math.max(size, change.position + change.bytes.length);
    largest = Math.max(largest, size);
  }
  const after = Buffer.alloc(largest);
  before.copy(after);
  let end = before.length;
  for (const change of changes) {
    if ('bytes' in change) {
      after.set(change.bytes, change.position);
      end = Math.max(end, change.position + change.bytes.length);
    } else {
      if (change.size < end) after.fill(0, change.size, end);
      end = change.size;
    }
  }
  return after.subarray(0, end);
}
