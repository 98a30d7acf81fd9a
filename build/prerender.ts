import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin, Rolldown, UserConfig } from 'vite';
import { DESK } from './desk.ts';
import { fillDocument, sheetsShown, type Sheet } from './document.ts';
import { firstScript } from './first-script.ts';
import type { PostedParts } from '../src/agreements.ts';
import { CALL_LIBRARY } from './pwa.ts';
import { render, renderOnce, type Rendering } from './render.ts';
import { joinStyles } from './styles.ts';

const LANDING = 'index.html';
const NAMES_ONLY = '\0names:';
/** Virtual modules with the markup that scripts insert into the page later. */
const MARKUP = { 'virtual:call-button': 'voice', 'virtual:stub': 'stub' } as const;
const OWN_FACE = 'data-own-face';

/** Renders the documents with inline styles: once in a build, on each request in development. */
export function prerender(shared: UserConfig): Plugin {
  let rendering: () => Promise<Rendering>;
  /** Style sheets of the landing page, by file. */
  let inline = new Map<string, Sheet>();
  let template = '';

  return {
    name: 'prerender',
    enforce: 'pre',

    async buildStart() {
      if (this.environment.mode !== 'build') return;
      const rendered = await renderOnce(shared);
      rendering = () => Promise.resolve(rendered);
      const shown = sheetsShown([rendered.documents[LANDING]!], rendered.sheets);
      inline = new Map(shown.map((sheet) => [sheet.file, sheet]));
    },

    // The landing page already contains the styles of these sheets, so scripts that load later need only the class
    // names.
    async resolveId(source, importer) {
      if (source in MARKUP) return `\0${source}`;
      if (!source.endsWith('.css')) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && inline.has(resolved.id) ? `${NAMES_ONLY}${resolved.id}.js` : resolved;
    },
    async load(id) {
      const markup = MARKUP[id.slice(1) as keyof typeof MARKUP];
      if (markup) return `export default ${JSON.stringify((await rendering())[markup])}`;
      if (!id.startsWith(NAMES_ONLY)) return null;
      return `export default ${JSON.stringify(inline.get(id.slice(NAMES_ONLY.length, -'.js'.length))!.names)}`;
    },

    transformIndexHtml: {
      order: 'post',
      async handler(html, { server, path: url, bundle, chunk }) {
        if (path.basename(url) === DESK) return html;
        const { documents, sheets } = await rendering();
        const document = documents[path.basename(url)] ?? documents[LANDING]!;
        const styles = `<style>${joinStyles(sheetsShown([document], sheets))}</style>`;
        if (server) return fillDocument(html, document, { root: OWN_FACE, styles, script: await firstScript() });
        template = html
          .replace(`<script type="module" crossorigin src="/${chunk!.fileName}"></script>`, '')
          .replaceAll(/\n\s*/g, '');
        const root = `data-weight="${Math.round(weigh(bundle!) / 1000)}"`;
        const script = await firstScript(`/${chunk!.fileName}`, `/${formIn(bundle!)}`);
        return fillDocument(template, document, { root, styles, script });
      },
    },

    generateBundle: {
      order: 'post',
      async handler() {
        const { documents, posted, sheets } = await rendering();
        // All documents except the landing page share one style sheet. The security policy, sent with every response,
        // would otherwise need the hash of the inline styles of each document.
        const { [LANDING]: _landing, ...texts } = documents;
        const source = joinStyles(sheetsShown(Object.values(texts), sheets));
        const sheet = this.getFileName(this.emitFile({ type: 'asset', name: 'texts.css', source }));
        const styles = `<link rel="stylesheet" href="/${sheet}">`;
        this.emitFile({ type: 'asset', fileName: 'cotizar.json', source: JSON.stringify(answers(posted, sheets)) });
        for (const [fileName, document] of Object.entries(texts)) {
          const html = fillDocument(template, document, { root: OWN_FACE, styles });
          this.emitFile({ type: 'asset', fileName, source: html });
        }
      },
    },

    configureServer(server) {
      rendering = () => render(server);
      server.middlewares.use((request, response, next) => {
        const url = request.url?.split('?')[0] ?? '';
        if (!/^\/(privacidad|terminos|404)\.html$/.test(url)) return next();
        readFile(LANDING, 'utf8')
          .then((html) => server.transformIndexHtml(url, html))
          .then((html) => response.setHeader('content-type', 'text/html').end(html))
          .catch(next);
      });
    },
  };
}

/** HTML of the pages that respond to a form sent without scripts, with their styles. */
function answers(parts: PostedParts, sheets: readonly Sheet[]) {
  const fields = Object.values(parts.fields).flat();
  const body = [parts.page, parts.form, parts.receipt, parts.notice, ...fields].join('');
  const styles = joinStyles(sheetsShown([{ head: '', body, later: '' }], sheets));
  return { ...parts, styles };
}

function formIn(bundle: Rolldown.OutputBundle): string {
  return Object.values(bundle).find((file) => 'code' in file && file.name === 'form')!.fileName;
}

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * Returns the compressed size in bytes of all scripts that the worker fetches. PhoneSettings.tsx shows it as the cost of fetching all files in
 * advance.
 */
function weigh(bundle: Rolldown.OutputBundle): number {
  const texts = Object.values(bundle).flatMap((file) =>
    'code' in file && !file.fileName.startsWith(CALL_LIBRARY) ? file.code : [],
  );
  return texts.reduce((sum, text) => sum + brotliCompressSync(text, QUICKLY).length, 0);
}
