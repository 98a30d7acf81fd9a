import type { PostedParts } from '../src/agreements.ts';
import { createServer, type UserConfig, type ViteDevServer } from 'vite';
import type { Document, Sheet } from './document.ts';

const ENTRY = '/src/landing/prerender.tsx';

export interface Rendering {
  readonly documents: Readonly<Record<string, Document>>;
  /** Markup of the call button, which a script adds when the page is idle. */
  readonly voice: string;
  /** Markup of an empty receipt. */
  readonly stub: string;
  /** HTML parts of the pages that respond to a form sent without scripts. */
  readonly posted: PostedParts;
  /** Style sheets in the order in which they apply, without the sheets of lazily loaded parts. */
  readonly sheets: readonly Sheet[];
}

export async function render(server: ViteDevServer): Promise<Rendering> {
  const entry = (await server.ssrLoadModule(ENTRY)) as {
    documents: () => Rendering['documents'];
    voice: () => string;
    stub: () => string;
    posted: () => PostedParts;
  };
  const sheets: Sheet[] = [];
  for (const file of await importedBy(ENTRY, server)) {
    if (!file.endsWith('.css')) continue;
    const { default: names } = (await server.ssrLoadModule(file)) as { default?: Record<string, string> };
    const { default: css } = (await server.ssrLoadModule(`${file}?inline`)) as { default: string };
    sheets.push(names ? { file, css, names } : { file, css });
  }
  return { documents: entry.documents(), voice: entry.voice(), stub: entry.stub(), posted: entry.posted(), sheets };
}

/** Renders the documents with a temporary Vite server. */
export async function renderOnce(shared: UserConfig): Promise<Rendering> {
  const server = await createServer({
    ...shared,
    configFile: false,
    logLevel: 'warn',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false },
  });
  try {
    return await render(server);
  } finally {
    await server.close();
  }
}

/** Files that an entry imports statically, in order of execution. */
async function importedBy(entry: string, server: ViteDevServer): Promise<Set<string>> {
  const { moduleGraph } = server.environments.ssr;
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = async (url: string) => {
    if (visited.has(url)) return;
    visited.add(url);
    const module = await moduleGraph.getModuleByUrl(url);
    for (const imported of module?.transformResult?.deps ?? []) await visit(imported);
    if (module?.id) files.add(module.id);
  };
  await visit(entry);
  return files;
}
