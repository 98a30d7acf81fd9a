import { fstatSync, fsyncSync, writeSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { FOLDERS_CAN_BE_SYNCED, syncFolder } from './durable-files.ts';

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
