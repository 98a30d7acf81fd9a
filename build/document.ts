/** One document of the site, as src/landing/prerender.tsx renders it. */
export interface Document {
  readonly head: string;
  readonly body: string;
  /** The end of the body: it shows nothing until an island has woken, and its styles come with that. */
  readonly later: string;
}

/** The styles that one file adds to the page. */
export interface Sheet {
  readonly file: string;
  readonly css: string;
  /** The scoped names of its classes. A sheet without names is for every document. */
  readonly names?: Readonly<Record<string, string>>;
}

interface Additions {
  /** An attribute of its root. */
  readonly root: string;
  /** A `<style>` or a `<link>`. */
  readonly styles: string;
  readonly script?: string;
}

/** Puts a document into the template (index.html), where its comments say. */
export function fillDocument(template: string, document: Document, { root, styles, script }: Additions): string {
  // Functions, because '$' in a text would be read as a pattern.
  return template
    .replace('<html', () => `<html ${root}`)
    .replace('<!--head-->', () => document.head + styles)
    .replace('<!--script-->', () => (script ? `<script>${script}</script>` : ''))
    .replace('<!--body-->', () => document.body + document.later);
}

/** The sheets of which these documents show something, and those of every document. */
export function sheetsShown(documents: readonly Document[], sheets: readonly Sheet[]): Sheet[] {
  const attributes = documents.flatMap(({ body }) => [...body.matchAll(/ class="([^"]*)"/g)]);
  const shown = new Set(attributes.flatMap(([, names]) => names!.split(' ')));
  return sheets.filter(({ names }) => !names || Object.values(names).some((name) => shown.has(name)));
}
