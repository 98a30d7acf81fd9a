import { fields, FIELDS, type Field } from '../lead/fields.ts';
import { folioOf } from '../lead/folio.ts';
import { codesIn } from '../lead/checked-code.ts';
import { handOffCode } from '../lead/hand-off-code.ts';
import { faultIn, readQuote, type Quote } from '../lead/quote.ts';
import { mainWords } from './bilingual.ts';
import { fieldWords, valueInWords } from './fields.ts';
import { handOffBeside as beside, handOffLines } from './quote-states.ts';

const lines: Partial<Record<Field, (value: string) => string>> = handOffLines;

/**
 * Writes a quote as a message, which the exporter sends by another app. A code in the message makes the desk store the
 * quote under the same id.
 */
export function handOffText(quote: Quote): string {
  const { llamada, promociones, reemplaza, igual } = quote;
  return [
    `Solicitud de cotización ${folioOf(quote.id)}`,
    ...FIELDS.filter((field) => field in quote).map((field) => handOffLine(field, String(quote[field]))),
    llamada && beside.llamada,
    promociones && beside.promociones,
    reemplaza && beside.reemplaza(reemplaza),
    igual && beside.igual(igual),
    beside.code(handOffCode(quote)),
  ]
    .filter(Boolean)
    .join('\n');
}

function handOffLine(field: Field, value: string): string {
  return lines[field]?.(value) ?? `${mainWords(fieldWords[field].label)}: ${valueInWords(field, value)}`;
}

/**
 * Reads the quote from a message that `handOffText` wrote; undefined if the text of the message was changed, or its
 * beginning or end is missing. Joined lines, quotation marks and other text around the message do no harm.
 */
export function readHandOff(message: string): Quote | undefined {
  const found = codesIn(message).at(-1);
  if (!found) return undefined;
  // Mail programs write > before each line of a quoted mail.
  const text = message
    .slice(0, found.at)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^[ \t]*>[ \t>]*/gm, '');
  const values = valuesIn(text);
  const quote = values && readQuote({ ...values, id: found.id });
  return quote && !faultIn(quote) && handOffCode(quote) === found.code ? quote : undefined;
}

/** Finds the value of each field: the text between its label and the next label. */
function valuesIn(text: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  let rest = text;
  const present = FIELDS.filter((field) => !fields[field].optional || text.includes(`\n${labelOf(field)}`));
  for (const [at, field] of present.entries()) {
    const [, after] = divided(rest, labelOf(field));
    const next = present[at + 1];
    const [value, others] = next ? divided(after, labelOf(next), true) : [after, ''];
    if (value === undefined) return undefined;
    values[field] = valueOf(field, value);
    rest = others ?? '';
    if (!next) Object.assign(values, besideIn(value));
  }
  return values;
}

/**
 * Splits a text at the first place where `words` occur; returns undefined parts if `words` do not occur. `keep`: the
 * second part begins with `words`.
 */
function divided(text: string | undefined, words: string, keep = false): [string?, string?] {
  const at = text?.indexOf(words) ?? -1;
  return at < 0 ? [] : [text!.slice(0, at), text!.slice(keep ? at : at + words.length)];
}

const labelOf = (field: Field) => /^[^:]+:/.exec(handOffLine(field, ''))![0];

function valueOf(field: Field, rest: string): string | number | undefined {
  const { choices, most } = fields[field];
  const text = rest.trim();
  if (choices)
    return choices.find((choice) => text.startsWith(handOffLine(field, choice).slice(labelOf(field).length).trim()));
  return most ? Number(/^\d+/.exec(text)?.[0]) : text;
}

function besideIn(text: string) {
  const folioAfter = (line: string) => new RegExp(`${line}(AP-\\w{4}-\\w{4})`).exec(text)?.[1];
  const reemplaza = folioAfter(beside.reemplaza(''));
  const igual = folioAfter(beside.igual(''));
  return {
    ...(text.includes(beside.llamada) && { llamada: true }),
    ...(text.includes(beside.promociones) && { promociones: true }),
    ...(reemplaza && { reemplaza }),
    ...(igual && { igual }),
  };
}
