import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, minify, type Plugin, type Rolldown, type UserConfig, type ViteDevServer } from 'vite';
import { sheetLetter, sheetsIn, stylesFor } from './class-names.ts';

type Document = { readonly head: string; readonly body: string };
type Documents = Record<string, Document>;

/** What src/prerender.tsx exports. */
interface Rendering {
  readonly documents: () => Documents;
  readonly voice: () => string;
}

const ENTRY = 'src/prerender.tsx';
const OUT = '.cache/prerender';
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const NAMES_ONLY = '\0names:';
const VOICE = 'virtual:call-button';

/**
 * Renders the page to HTML with its styles inline: at build, and on each request of the dev server.
 * Sections without script are not in the client's module graph, so a pass of its own finds their CSS.
 */
export function prerender(shared: UserConfig): Plugin {
  const classNames = new Map<string, string>();
  let documents: Documents = {};
  let styles = '';
  let template = '';
  let voice = '';
  let renderInDev: (() => Promise<Rendering>) | undefined;

  return {
    name: 'prerender',
    enforce: 'pre',

    async buildStart() {
      if (this.environment.mode !== 'build') return;
      ({ documents, voice, styles } = await renderOnce(shared, classNames));
    },

    // The document already carries the styles of what was prerendered: its islands need the names alone.
    async resolveId(source, importer) {
      if (source === VOICE) return `\0${VOICE}`;
      if (!source.endsWith('.css')) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && classNames.has(resolved.id) ? `${NAMES_ONLY}${resolved.id}.js` : resolved;
    },
    async load(id) {
      if (id === `\0${VOICE}`) {
        const html = renderInDev ? (await renderInDev()).voice() : voice;
        return `export default ${JSON.stringify(html)}`;
      }
      return id.startsWith(NAMES_ONLY) ? classNames.get(id.slice(NAMES_ONLY.length, -'.js'.length)) : null;
    },

    transformIndexHtml: {
      order: 'post',
      async handler(html, { server, path: url, bundle }) {
        if (server) {
          const dressed = html.replace('<html', '<html data-own-face');
          const all = (await renderInDev!()).documents();
          const document = all[path.basename(url)] ?? all['index.html']!;
          return fill(dressed, document, styleElement(document, await stylesInDev(server)));
        }
        template = (await withSmallScript(html)).replace('<html', `<html data-weight="${weigh(bundle!)}"`);
        return fill(template, documents['index.html']!, styleElement(documents['index.html']!, styles));
      },
    },

    generateBundle: {
      order: 'post',
      handler() {
        // The other documents only say something: no script at all, and one sheet for them, so that the headers of
        // every answer need not name the styles of each.
        const bare = template.replaceAll(/<script[\s\S]*?<\/script>/g, '').replace('<html', '<html data-own-face');
        const others = Object.keys(documents).filter((name) => name !== 'index.html');
        const source = stylesFor(others.map((name) => documents[name]!.body).join(''), styles);
        const sheet = this.getFileName(this.emitFile({ type: 'asset', name: 'texts.css', source }));
        for (const fileName of others) {
          const link = `<link rel="stylesheet" href="/${sheet}">`;
          this.emitFile({ type: 'asset', fileName, source: fill(bare, documents[fileName]!, link) });
        }
      },
    },

    configureServer(server) {
      renderInDev = () => server.ssrLoadModule(`/${ENTRY}`) as Promise<never>;
      server.middlewares.use((request, response, next) => {
        const url = request.url?.split('?')[0] ?? '';
        if (!/^\/(privacidad|terminos|404)\.html$/.test(url)) return next();
        readFile('index.html', 'utf8')
          .then((html) => server.transformIndexHtml(url, html))
          .then((html) => response.setHeader('content-type', 'text/html').end(html))
          .catch(next);
      });
    },
  };
}

/** What the worker fetches for later, as it travels. Only the parts of the page count; pictures come on top. */
function weigh(bundle: Rolldown.OutputBundle): number {
  const texts = Object.values(bundle).flatMap((file) => ('code' in file ? file.code : []));
  return texts.reduce((sum, text) => sum + brotliCompressSync(text, QUICKLY).length, 0);
}

/** The script that stands in the document weighs on the first paint; the other one must not come before it. */
async function withSmallScript(html: string): Promise<string> {
  const [module, source] = /<script type="module"[^>]* src="([^"]*)"><\/script>/.exec(html)!;
  const [element, script] = /<script>([\s\S]*?)<\/script>/.exec(html)!;
  const { code } = await minify('before-paint.js', `${script!}${afterPaint(source!)}`);
  return html.replace(module, '').replace(element, () => `<script>${code}</script>`);
}

/** In a tab in the background nothing is painted, and what waits there is still to be sent. */
const PAINTED_BY = 2000;

const afterPaint = (source: string) => `{
  const script = document.createElement('script');
  script.type = 'module';
  script.src = '${source}';
  const load = () => document.head.append(script);
  addEventListener('DOMContentLoaded', () => {
    new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
    setTimeout(load, ${PAINTED_BY});
  });
}`;

const styleElement = ({ body }: Document, styles: string) => `<style>${stylesFor(body, styles)}</style>`;

function fill(html: string, { head, body }: Document, styles: string): string {
  // Functions, because '$' in a text would be read as a pattern.
  return html
    .replaceAll(/>\s+</g, '><')
    .replace('<!--head-->', () => head + styles)
    .replace('<!--body-->', () => withoutNeedlessTags(body));
}

/** A list's item ends where the next one begins, and a shape in a drawing may close itself. */
function withoutNeedlessTags(body: string): string {
  return body.replaceAll('</li>', '').replaceAll(/><\/(circle|path|rect|use)>/g, '/>');
}

async function renderOnce(shared: UserConfig, classNames: Map<string, string>) {
  const { output } = (await build({
    ...shared,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      ...(shared.plugins ?? []),
      {
        name: 'class-names',
        enforce: 'post',
        transform(code, id) {
          if (id.endsWith('.css')) classNames.set(id, code);
        },
      },
    ],
    build: {
      target: shared.build?.target ?? 'es2023',
      ssr: ENTRY,
      outDir: OUT,
      minify: false,
      cssMinify: 'lightningcss',
      emitAssets: true,
      copyPublicDir: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { entryFileNames: 'page.mjs' } },
    },
  })) as Rolldown.RolldownOutput;

  const chunks = new Map(output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const needed = new Set<Rolldown.OutputChunk>();
  const visit = (chunk?: Rolldown.OutputChunk) => {
    if (!chunk || needed.has(chunk)) return;
    chunk.imports.forEach((name) => visit(chunks.get(name)));
    needed.add(chunk);
  };
  visit(chunks.get('page.mjs'));

  // What only a later, lazy part of an island needs travels with that part.
  const here = new Set([...needed].flatMap((chunk) => chunk.moduleIds));
  for (const id of classNames.keys()) if (!here.has(id)) classNames.delete(id);
  const sheets = new Set([...needed].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
  const styles = output
    .filter((file) => file.type === 'asset' && sheets.has(file.fileName))
    .map((file) => String((file as Rolldown.OutputAsset).source))
    .join('');

  const entry = (await import(`${pathToFileURL(path.resolve(OUT, 'page.mjs')).href}?${Date.now()}`)) as Rendering;
  const documents = entry.documents();
  // So does what a part shows only later.
  const shown = sheetsIn(documents['index.html']!.body);
  for (const id of classNames.keys())
    if (id.endsWith('.module.css') && !shown.has(sheetLetter(id))) classNames.delete(id);
  await rm(OUT, { recursive: true });
  return { documents, voice: entry.voice(), styles };
}

async function stylesInDev(server: ViteDevServer): Promise<string> {
  const sheets = [...server.environments.ssr.moduleGraph.idToModuleMap.values()]
    .map((module) => module.url)
    .filter((url) => url.endsWith('.css'));
  const texts = await Promise.all(sheets.map((url) => server.ssrLoadModule(`${url}?inline`)));
  return texts.map((module) => String(module['default'])).join('');
}
