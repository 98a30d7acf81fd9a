import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { build } from 'vite';
import { constants } from '../../build/environment.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import type { submitQuote } from '../../src/form/submit-quote.ts';
import type { toasts } from '../../src/notices/toasts.ts';
import type { keepSending } from '../../src/phone/keep-sending.ts';
import type { submitReply } from '../../src/receipts/submit-reply.ts';
import type { inGroups } from '../../server/database/group-commit.ts';
import type { sendDue } from '../../server/alerts/send-due.ts';

/** A change of the product's own text, to see that the world notices. */
export interface Patch {
  /** As `src/outbox/drain.ts`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface PageCode {
  readonly outbox: Outbox;
  readonly submitQuote: typeof submitQuote;
  readonly submitReply: typeof submitReply;
  readonly keepSending: typeof keepSending;
  readonly toasts: typeof toasts;
}

/** Of sw/quotes.ts, whose types are a worker's and no test's. */
export interface WorkerCode {
  deliverWaiting(how: { readonly again?: string | undefined }): Promise<void>;
  lookForAnswers(): Promise<number>;
}

export interface ServerCode {
  readonly inGroups: typeof inGroups;
  readonly sendDue: typeof sendDue;
}

/** The names of a browser that code finds without importing them: each page and worker has its own. */
const NAMES = [
  'self',
  'window',
  'globalThis',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'fetch',
  'indexedDB',
  'IDBDatabase',
  'IDBObjectStore',
  'IDBIndex',
  'IDBCursor',
  'IDBTransaction',
  'IDBRequest',
  'BroadcastChannel',
  'AbortSignal',
  'crypto',
  'Date',
  'Math',
  'performance',
  'Notification',
  'setImmediate',
  'structuredClone',
] as const;

/** What a page, a worker, the disk or the server finds where a browser, or Node, has its own. */
export type Surroundings = Partial<Record<(typeof NAMES)[number], unknown>>;

const ENTRIES = {
  page: 'tests/world/page-code.ts',
  worker: 'sw/quotes.ts',
  server: 'tests/world/server-code.ts',
  disk: 'tests/world/disk-code.ts',
};

type Start<Exports> = (surroundings: Surroundings) => Exports;

/** The code of the product, to be started anew for each page and each worker, with the surroundings that it is given. */
export interface Code {
  readonly page: Start<PageCode>;
  readonly worker: Start<WorkerCode>;
  readonly server: Start<ServerCode>;
  readonly disk: Start<Record<string, unknown>>;
}

export async function buildCode(patches: readonly Patch[] = []): Promise<Code> {
  const left = new Set(patches);
  const parts = await Promise.all(
    (['page', 'worker', 'server', 'disk'] as const).map((name) => bundled(name, patches, left)),
  );
  const [page, worker, server, disk] = parts;
  for (const { file } of left) throw new Error(`Nothing of ${file} is in the world, so no fault can be put there.`);
  return { page, worker, server, disk } as Code;
}

async function bundled(
  name: keyof typeof ENTRIES,
  patches: readonly Patch[],
  left: Set<Patch>,
): Promise<Start<unknown>> {
  const root = new URL('../..', import.meta.url).pathname;
  const result = await build({
    root,
    configFile: false,
    envDir: false,
    mode: 'production',
    logLevel: 'warn',
    define: constants({}),
    plugins: [
      {
        name: 'faults',
        enforce: 'pre',
        load(id) {
          const own = patches.filter(({ file }) => id === root + file);
          if (own.length === 0) return null;
          for (const patch of own) left.delete(patch);
          return patched(readFileSync(id, 'utf8'), own);
        },
        // The turns of a database are taken by the clock of its world.
        resolveId: (source) => (source === 'node:timers/promises' ? '\0turns' : null),
      },
      {
        name: 'turns',
        enforce: 'pre',
        load: (id) =>
          id === '\0turns'
            ? 'export const setImmediate = () => new Promise((go) => globalThis.setImmediate(go));'
            : null,
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: ENTRIES[name], formats: ['cjs'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('The code of the world was not built.');
  const { code } = output.output[0];
  const start = compileFunction(code, ['exports', ...NAMES], { filename: `world/${name}.js` }) as (
    ...given: unknown[]
  ) => void;
  return (surroundings) => {
    const exports = {};
    start(exports, ...NAMES.map((each) => surroundings[each]));
    return exports;
  };
}

/** Fails where the text is not there once: a fault that is not put in would be one that is not looked for. */
export function patched(text: string, patches: readonly Patch[]): string {
  let result = text;
  for (const { file, find, replace } of patches) {
    if (result.split(find).length !== 2) throw new Error(`${file} does not have this text once: ${find}`);
    result = result.replace(find, () => replace);
  }
  return result;
}
