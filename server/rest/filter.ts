import { Refusal } from './refusal.ts';

/** Collects what is sent beside the SQL text, so that nothing a client wrote is ever part of it. */
export class Parameters {
  readonly values: string[] = [];

  add(value: string): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

// None of regular expressions: a visitor's would keep the database busy for as long as the visitor likes.
const COMPARISONS = new Map([
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['isdistinct', 'is distinct from'],
]);
/** More groups within groups than any client of ours asks with. */
const DEEPEST = 4;

const IS = new Set(['null', 'not_null', 'true', 'false', 'unknown']);

/** One filter of the query string: `column=operator.value`, or a group such as `or=(a.eq.1,b.is.null)`. */
export function filterToSql(table: string, name: string, value: string, parameters: Parameters, depth = 0): string {
  const group = /^(not\.)?(and|or)$/.exec(name);
  return group ? groupToSql(table, group, value, parameters, depth) : conditionToSql(table, name, value, parameters);
}

function groupToSql(
  table: string,
  [, not, joiner]: RegExpExecArray,
  value: string,
  parameters: Parameters,
  depth: number,
): string {
  if (depth > DEEPEST || !/^\(.+\)$/s.test(value)) throw unreadable('logic tree', value);
  const members = splitList(value.slice(1, -1)).map((member) => {
    const nested = /^((?:not\.)?(?:and|or))(\(.+\))$/s.exec(member);
    if (nested) return filterToSql(table, nested[1]!, nested[2]!, parameters, depth + 1);
    const dot = member.indexOf('.');
    if (dot < 1) throw unreadable('logic tree', value);
    return conditionToSql(table, unquote(member.slice(0, dot)), member.slice(dot + 1), parameters, unquote);
  });
  return `${not ? 'not ' : ''}(${members.join(` ${joiner} `)})`;
}

/** Inside a group a value may stand in quotes, because commas and brackets separate there. */
function conditionToSql(
  table: string,
  name: string,
  condition: string,
  parameters: Parameters,
  read: (value: string) => string = (value) => value,
): string {
  const [, not, operator, value] = /^(not\.)?([a-z]+)\.(.*)$/s.exec(condition) ?? [];
  if (operator === undefined || value === undefined) throw unreadable('filter', condition);
  const column = `${table}.${quoteName(name)}`;
  const sql = () => {
    if (operator === 'is' && IS.has(value.toLowerCase()))
      return `${column} is ${value.toLowerCase().replace('_', ' ')}`;
    if (operator === 'in' && /^\(.*\)$/s.test(value)) {
      const members = splitList(value.slice(1, -1)).map((member) => parameters.add(unquote(member)));
      return members.length > 0 ? `${column} in (${members.join(', ')})` : 'false';
    }
    const comparison = COMPARISONS.get(operator);
    if (!comparison) throw unreadable('filter', condition);
    const plain = read(value);
    return `${column} ${comparison} ${parameters.add(comparison.endsWith('like') ? plain.replaceAll('*', '%') : plain)}`;
  };
  return not ? `not (${sql()})` : sql();
}

/** Splits at commas that stand neither in brackets nor in double quotes. */
export function splitList(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === '\\' && quoted) at++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, at));
      start = at + 1;
    }
  }
  return list === '' ? [] : [...parts, list.slice(start)];
}

export function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value;
}

export function unreadable(what: string, text: string): Refusal {
  return new Refusal(400, 'PGRST100', `"failed to parse ${what} (${text})" (line 1, column 1)`);
}
