import { compileFunction } from 'node:vm';
import { build } from 'vite';
import { constants } from '../../build/environment.ts';

/**
 * Exports of sw/quotes.ts that the simulation uses, declared again because the types in that file need the globals of a
 * worker.
 */
export interface WorkerCode {
  deliverWaiting(how: { readonly retryTag?: string | undefined }): Promise<void>;
}

/** Names of browser globals that the product uses. Each simulated page and worker gets its own globals. */
const NAMES =
  'self window globalThis document navigator location localStorage sessionStorage addEventListener removeEventListener dispatchEvent setTimeout clearTimeout setInterval fetch indexedDB IDBDatabase IDBObjectStore IDBIndex IDBCursor IDBTransaction IDBRequest BroadcastChannel AbortSignal crypto Date Math performance Notification structuredClone setImmediate fault'.split(
    ' ',
  );

export type Surroundings = Readonly<Record<string, unknown>>;

const ENTRIES = {
  page: 'tests/world/page-code.ts',
  worker: 'sw/quotes.ts',
  server: 'server/database/group-commit.ts',
  disk: 'tests/world/disk-code.ts',
};

type Start<Exports> = (surroundings: Surroundings) => Exports;

/** Bundled product code, started once for each page and worker. */
export interface Code {
  readonly page: Start<typeof import('./page-code.ts')>;
  readonly worker: Start<WorkerCode>;
  readonly server: Start<typeof import('../../server/database/group-commit.ts')>;
  readonly disk: Start<Record<string, unknown>>;
}

export async function buildCode(): Promise<Code> {
  const parts = (['page', 'worker', 'server', 'disk'] as const).map(bundled);
  const [page, worker, server, disk] = await Promise.all(parts);
  return { page, worker, server, disk } as Code;
}

async function bundled(name: keyof typeof ENTRIES): Promise<Start<unknown>> {
  const result = await build({
    root: new URL('../..', import.meta.url).pathname,
    configFile: false,
    envDir: false,
    mode: 'production',
    logLevel: 'warn',
    define: constants({}),
    plugins: [
      {
        name: 'world',
        enforce: 'pre',
        resolveId(source) {
          // fake-indexeddb imports its timers from this module, and the timers must follow the simulated clock.
          if (source === 'node:timers/promises') return '\0turns';
          return source.endsWith('/phone-outbox.ts') ? new URL('phone-outbox.ts', import.meta.url).pathname : null;
        },
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
