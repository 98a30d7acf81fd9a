import { readFileSync } from 'node:fs';

/**
 * Classes, individuals and codes that the record uses, copied from IATA’s ontology. The file names the source and the
 * day of the copy. A class is written as 'superclasses: property=range …', a code list as codes between spaces.
 */
const copied = JSON.parse(readFileSync('tests/unit/one-record.json', 'utf8')) as Record<
  'classes' | 'individuals' | 'codes',
  Record<string, string>
>;
const mapped = <Value>(texts: Record<string, string>, read: (text: string) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, read(text)]));
const ontology = {
  classes: mapped(copied.classes, (text) => {
    const [superclasses, properties] = text.split(': ') as [string, string];
    return {
      superclasses: superclasses.split(' '),
      properties: Object.fromEntries(properties.split(' ').map((each) => each.split('='))) as Record<string, string>,
    };
  }),
  individuals: mapped(copied.individuals, (text) => text.split(' ')),
  codes: mapped(copied.codes, (text) => text.split(' ')),
};

export type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const local = (name: unknown) => (name as string).replace(/^cargo:/, '');

/** Finds violations of the ontology: unknown classes, properties and codes, wrong ranges, too many values. */
export function violationsIn(record: { readonly '@graph': readonly unknown[] }): string[] {
  const found: string[] = [];
  const graph = record['@graph'] as Node[];
  const types = new Map(graph.map((node) => [node['@id'], local(node['@type'])]));
  const isKindOf = (type: string, range: string) =>
    type === range || Boolean(ontology.classes[type]?.superclasses.includes(range));

  function checkValue(where: string, range: string, value: unknown): void {
    const fail = () => found.push(`${where}: ${JSON.stringify(value)} is no ${range}`);
    if (range === 'xsd:string') return void (typeof value === 'string' || fail());
    if (!isNode(value)) return void fail();
    if (range.startsWith('xsd:')) {
      const text = String(value['@value']);
      const isRight = {
        'xsd:double': /^-?\d+(\.\d+)?$/,
        'xsd:integer': /^-?\d+$/,
        'xsd:dateTime': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      }[range];
      return void ((value['@type'] === range && isRight?.test(text)) || fail());
    }
    const id = value['@id'] as string | undefined;
    if (range.startsWith('codes:')) {
      const list = range.slice('codes:'.length);
      if (list === 'CurrencyCode')
        return void (/^https:\/\/vocabulary\.uncefact\.org\/CurrencyCodeList#[A-Z]{3}$/.test(id ?? '') || fail());
      const [, named, code] = /^cl:(\w+)#(\w+)$/.exec(id ?? '') ?? [];
      return void ((named === list && ontology.codes[list]?.includes(code!)) || fail());
    }
    if (ontology.individuals[range]) return void (ontology.individuals[range].includes(local(id ?? '')) || fail());
    if (value['@type']) {
      if (!isKindOf(local(value['@type']), range)) fail();
      return check(where, value);
    }
    const type = types.get(id);
    if (!type || !isKindOf(type, range)) fail();
  }

  function check(where: string, node: Node): void {
    const type = local(node['@type']);
    const known = ontology.classes[type];
    if (!known) return void found.push(`${where}: class ${type} is unknown`);
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith('@')) continue;
      const range = known.properties[local(name)];
      const place = `${type}.${local(name)}`;
      if (!range) found.push(`${place} is unknown`);
      else if (Array.isArray(value) && !range.endsWith('*')) found.push(`${place} may have one value`);
      else for (const each of [value].flat()) checkValue(place, range.replace('*', ''), each);
    }
  }
  for (const node of graph) check(node['@id'] as string, node);
  if (types.size !== graph.length) found.push('two objects have one id');
  return found;
}
