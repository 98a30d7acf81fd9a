import { readFileSync } from 'node:fs';

/** An element of a document that our own build wrote: well formed, attributes quoted. */
export class Markup {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Markup | undefined;
  readonly children: (Markup | string)[] = [];

  constructor(name: string, attributes: ReadonlyMap<string, string>, parent?: Markup) {
    this.name = name;
    this.attributes = attributes;
    this.parent = parent;
  }

  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }

  /** What a visitor may read or hear: no style, no script. */
  get said(): string {
    if (SILENT.has(this.name)) return '';
    return this.children.map((child) => (typeof child === 'string' ? child : child.said)).join(' ');
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

const VOID = new Set(['meta', 'link', 'br', 'img', 'input', 'hr', 'source']);
const SILENT = new Set(['style', 'script', 'head', 'noscript']);
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };

export function readMarkup(file: string): Markup {
  // A code in a sentence (src/ui/whole.tsx) is a part of it.
  const html = readFileSync(file, 'utf8').replaceAll(/<span class="whole">([^<]*)<\/span>/g, '$1');
  const root = new Markup('#document', new Map());
  let open = root;
  const token =
    /<!doctype[^>]*>|<!--[\s\S]*?-->|<(style|script)([^>]*)>([\s\S]*?)<\/\1>|<(\/?)([a-z][a-z0-9-]*)([^>]*?)\/?>|[^<]+/gi;
  for (const [whole, raw, rawAttributes, rawText, end, name, attributes] of html.matchAll(token)) {
    if (raw) {
      const element = new Markup(raw, attributesOf(rawAttributes!), open);
      element.children.push(rawText!);
      open.children.push(element);
    } else if (end) {
      if (open.name !== name || !open.parent) throw new Error(`</${name}> closes <${open.name}>.`);
      open = open.parent;
    } else if (name) {
      const element = new Markup(name, attributesOf(attributes!), open);
      open.children.push(element);
      const closed = VOID.has(name) || whole.endsWith('/>');
      if (!closed) open = element;
    } else if (!whole.startsWith('<!')) {
      open.children.push(decode(whole));
    }
  }
  if (open !== root) throw new Error(`<${open.name}> is never closed.`);
  return root;
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name!, decode(value ?? '')]),
  );
}

function decode(text: string): string {
  return text.replaceAll(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
