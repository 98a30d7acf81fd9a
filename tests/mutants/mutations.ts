import { parseSync } from 'vite';

/** Change of a single place in a source file, which at least one test should notice. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Returns mutations of a TypeScript file: changed operators, conditions and constants, removed statements. */
export function mutateScript(file: string, source: string): Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  const mutations: Mutation[] = [];
  const replace = ({ start, end }: Node, ...replacements: string[]) =>
    mutations.push(...replacements.map((replacement) => ({ start, end, replacement })));
  walk(program, (node) => mutateNode(node, source, replace));
  return mutations;
}

function mutateNode(
  node: Node & Record<string, unknown>,
  source: string,
  replace: (at: Node, ...by: string[]) => void,
) {
  const part = (name: string) => node[name] as Node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const between = { type: '', start: part('left').end, end: part('right').start };
      const operator = String(node['operator']);
      const swapped = SWAPPED[operator];
      if (swapped) replace(between, source.slice(between.start, between.end).replace(operator, swapped));
      return;
    }
    case 'UnaryExpression':
      if (node['operator'] === '!') replace(node, source.slice(part('argument').start, node.end));
      return;
    case 'IfStatement':
    case 'ConditionalExpression':
      replace(part('test'), 'true', 'false');
      return;
    case 'ExpressionStatement':
      if (!('directive' in node)) replace(node, ';');
      return;
    case 'Literal':
      if (typeof node['value'] === 'boolean') replace(node, String(!node['value']));
      if (typeof node['value'] === 'number') replace(node, String(node['value'] + 1));
      if (typeof node['value'] === 'string' && node['value']) replace(node, "''");
      return;
    default:
  }
}

/** Syntax nodes without effect at run time: types and module names. */
const WITHOUT_BEHAVIOUR = /^(TS(?!AsExpression|NonNull|Satisfies)|Import|ExportAll)/;

function walk(node: unknown, visit: (node: Node & Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const child of node) walk(child, visit);
  else if (isNode(node) && !WITHOUT_BEHAVIOUR.test(node.type)) {
    visit(node);
    for (const [name, child] of Object.entries(node))
      if (name !== 'key' && name !== 'source') walk(name === 'arguments' ? withoutMessage(node, child) : child, visit);
  }
}

/** Returns the arguments of a call without the sentence of an error, which only people read. */
function withoutMessage({ type, callee }: Node & Record<string, unknown>, values: unknown): unknown {
  const { name } = callee as { readonly name?: string };
  if (type !== 'NewExpression' || !name || !/(Error|Refusal)$/.test(name)) return values;
  return (values as Record<string, unknown>[]).filter(
    ({ value }) => !(typeof value === 'string' && value.includes(' ')),
  );
}

const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value;

const SQL_SWAPS: readonly (readonly [RegExp, string])[] = [
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )=(?= )/g, '<>'],
  [/(?<= )<>(?= )/g, '='],
  [/\bis null\b/gi, 'is not null'],
  [/\bis not null\b/gi, 'is null'],
  [/\bis distinct from\b/gi, 'is not distinct from'],
  [/\bis not distinct from\b/gi, 'is distinct from'],
  [/\band\b/gi, 'or'],
  [/\bor\b/gi, 'and'],
  [/\bnot exists\b/gi, 'exists'],
  [/(?<!not )\bexists\b/gi, 'not exists'],
  [/\btrue\b/gi, 'false'],
  [/\bfalse\b/gi, 'true'],
  [/(?<=[ (])[1-9][0-9]*(?=[ ),;])/g, '0'],
  [/(?<=\bif )[^;]+?(?= then\b)/gi, 'false'],
  [/\bperform [^;]+;/gi, 'null;'],
  [/\braise exception [^;]+;/gi, 'null;'],
  [/^(?:grant|revoke|create policy|create trigger)\b[^;]+;/gim, ''],
];

/** Parts of an SQL script that are not mutated: comments, strings, function headers, indexes. */
const SQL_SILENT =
  /--[^\n]*|'[^'\n]*'|\/\*[\s\S]*?\*\/|^(?:create (?:or replace )?function|comment on|set|drop|create index)\b[^;]*?(?:;|\bas \$)/gim;

/** Returns mutations of an SQL script: changed comparisons, conditions and bounds, removed refusals. */
export function mutateSql(source: string): Mutation[] {
  const silent = [...source.matchAll(SQL_SILENT)].map(({ index, 0: text }) => [index, index + text.length] as const);
  const isSilent = (at: number) => silent.some(([start, end]) => start <= at && at < end);
  return SQL_SWAPS.flatMap(([pattern, replacement]) =>
    [...source.matchAll(pattern)]
      .filter(({ index }) => !isSilent(index))
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length, replacement })),
  );
}
