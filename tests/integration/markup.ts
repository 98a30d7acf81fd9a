import { readFileSync } from 'node:fs';
import { parse, type DefaultTreeAdapterTypes as Tree, type ParserError } from 'parse5';

const SILENT = new Set(['style', 'script', 'head', 'noscript']);

/** Element as a browser without JavaScript sees it. */
export class Markup {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Markup | undefined;
  readonly children: readonly (Markup | string)[];
  /** Whether the element has its own end tag. */
  readonly isClosed: boolean;

  constructor(node: Tree.Document | Tree.Element, parent?: Markup) {
    this.name = node.nodeName;
    this.attributes = new Map('attrs' in node ? node.attrs.map(({ name, value }) => [name, value]) : []);
    this.parent = parent;
    this.children = node.childNodes.flatMap((child) => {
      if ('value' in child) return child.value;
      return 'tagName' in child ? new Markup(child, this) : [];
    });
    this.isClosed = 'attrs' in node && Boolean(node.sourceCodeLocation?.endTag);
  }

  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }

  /** Text that a visitor sees or hears, without styles and scripts. */
  get visibleText(): string {
    if (SILENT.has(this.name)) return '';
    return this.children.map((child) => (typeof child === 'string' ? child : child.visibleText)).join(' ');
  }

  get language(): string | undefined {
    return this.attributes.get('lang') ?? this.parent?.language;
  }

  *all(): Generator<Markup> {
    for (const child of this.children) {
      if (typeof child === 'string') continue;
      yield child;
      yield* child.all();
    }
  }

  named(...names: string[]): Markup[] {
    return [...this.all()].filter(({ name }) => names.includes(name));
  }

  byId(id: string): Markup {
    const found = [...this.all()].find(({ attributes }) => attributes.get('id') === id);
    if (!found) throw new Error(`Nothing has the id ${id}.`);
    return found;
  }
}

export function readMarkup(file: string): Markup {
  // src/ui/no-break.tsx puts tags around codes in sentences, which would split the text.
  const html = readFileSync(file, 'utf8').replaceAll(/<span class="whole">([^<]*)<\/span>/g, '$1');
  const onParseError = ({ code, startLine }: ParserError) => {
    throw new Error(`${file}:${startLine}: ${code}`);
  };
  const document = new Markup(parse(html, { scriptingEnabled: false, sourceCodeLocationInfo: true, onParseError }));
  // Missing and surplus end tags count as errors, although browsers accept them.
  const all = [...document.all()];
  const open = all.find(({ isClosed, children }) => !isClosed && children.length > 0);
  if (open) throw new Error(`${file}: <${open.name}> is never closed.`);
  const ends = html.split('</').length - 1;
  if (ends !== all.filter(({ isClosed }) => isClosed).length) throw new Error(`${file}: an end tag closes nothing.`);
  return document;
}
