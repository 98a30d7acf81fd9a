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
 * File system for PGlite that syncs files to disk, which PGlite's own does not
 * (https://github.com/electric-sql/pglite/issues/1107). PostgreSQL expects that the name of a synced file survives a
 * power cut. POSIX does not promise this, so a folder in which names have changed is synced together with the file.
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
 * Ends the thread of the database, or the command, after a failed sync, because a second sync could report success
 * without writing. PostgreSQL itself stops in this case, but PGlite goes on. The next start recovers from the log.
 */
function endAtOnce({ message }: Error): never {
  writeSync(2, `The disk failed to store data (${message}). The database ends and starts again.\n`);
  process.exit(1);
}
