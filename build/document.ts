export interface Document {
  readonly head: string;
  readonly body: string;
  /** Hidden markup at the end of the body. It appears when React takes over the page and loads the styles. */
  readonly later: string;
}

export interface Sheet {
  readonly file: string;
  readonly css: string;
  /** Scoped class names of the sheet. Global sheets have none. */
  readonly names?: Readonly<Record<string, string>>;
}

interface Additions {
  readonly root: string;
  readonly styles: string;
  readonly script?: string;
}

/** Fills the template (index.html): replaces its placeholder comments. */
export function fillDocument(template: string, document: Document, { root, styles, script }: Additions): string {
  // The replacements are functions, because '$' has a special meaning in a replacement string.
  return template
    .replace('<html', () => `<html ${root}`)
    .replace('<!--head-->', () => document.head + styles)
    .replace('<!--script-->', () => (script ? `<script>${script}</script>` : ''))
    .replace('<!--body-->', () => document.body + document.later);
}

export function sheetsShown(documents: readonly Document[], sheets: readonly Sheet[]): Sheet[] {
  const attributes = documents.flatMap(({ body }) => [...body.matchAll(/ class="([^"]*)"/g)]);
  const shown = new Set(attributes.flatMap(([, names]) => names!.split(' ')));
  return sheets.filter(({ names }) => !names || Object.values(names).some((name) => shown.has(name)));
}
