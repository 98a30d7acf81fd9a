import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Windows lets nobody sync a folder; its file system writes what changed in one in order. */
const FOLDERS_CAN_BE_SYNCED = process.platform !== 'win32';

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The names in it, and not what the files of those names hold. */
export function syncFolder(folder: string): void {
  if (!FOLDERS_CAN_BE_SYNCED) return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** All of it, each name after what it names. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(place);
    else if (entry.isFile()) syncFile(place);
  }
  syncFolder(folder);
}

/** On disk in its place when this returns: what stood there before, or this, and never a part of it. */
export function writeWhole(file: string, contents: string | Uint8Array): void {
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, contents, { mode: 0o600, flush: true });
    moveWhole(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** A file that is moved must be on disk by itself. */
export function moveWhole(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(path.dirname(to));
}

type Options = Parameters<NodeFS['init']>[1];

interface Node {
  readonly name: string;
  readonly parent: Node;
  readonly mount: { readonly opts: { readonly root: string } };
}

interface Stream {
  readonly node: Node;
  readonly nfd: number;
}

interface NodeFiles {
  readonly realPath: (node: Node) => string;
  readonly node_ops: Record<string, (...parameters: never[]) => unknown>;
  readonly stream_ops: { fsync?: (stream: Stream) => number };
}

/**
 * PGlite's own file system on Node's syncs nothing (https://github.com/electric-sql/pglite/issues/1107). PostgreSQL
 * counts on the name of a file that it has synced, which POSIX does not promise: with a file, a folder whose names
 * have changed is synced too.
 */
export class DurableFolder extends NodeFS {
  override async init(pglite: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), ({ NODEFS }: Options) => makeDurable(NODEFS as never)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function makeDurable({ realPath, node_ops, stream_ops }: NodeFiles): void {
  const changed = new Set<string>();
  const noting = (operation: string, foldersOf: (...parameters: Node[]) => (Node | undefined)[]) => {
    const original = node_ops[operation]!;
    node_ops[operation] = (...parameters) => {
      for (const folder of foldersOf(...parameters)) if (folder) changed.add(realPath(folder));
      return original(...parameters);
    };
  };
  for (const operation of ['mknod', 'unlink', 'rmdir', 'symlink']) noting(operation, (folder) => [folder]);
  noting('rename', (node, folder) => [node?.parent, folder]);
  stream_ops.fsync = ({ nfd, node }) => {
    try {
      const isFolder = fstatSync(nfd).isDirectory();
      if (!isFolder || FOLDERS_CAN_BE_SYNCED) fsyncSync(nfd);
      const folder = realPath(isFolder ? node : node.parent);
      if (!isFolder && changed.has(folder)) syncFolder(folder);
      changed.delete(folder);
      return 0;
    } catch (error) {
      return endAtOnce(error as Error);
    }
  };
}

/**
 * A write that could not be synced once may count as written the next time, so nobody may try again: PostgreSQL
 * panics, which PGlite swallows. This ends the thread of the database, or the command, and the next start goes by the log.
 */
function endAtOnce({ message }: Error): never {
  writeSync(2, `The disk did not keep what was written (${message}). The database ends, and starts again.\n`);
  process.exit(1);
}
