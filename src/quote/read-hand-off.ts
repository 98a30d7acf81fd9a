import { handOffBeside } from '../content/quote-states.ts';
import { fields, FIELDS, type Field } from './fields.ts';
import { handOffCode, idInCode } from './hand-off-code.ts';
import { handOffLine } from './hand-off-text.ts';
import { faultIn, readQuote, type Quote } from './quote.ts';

/**
 * The quote in a message that somebody handed over, exactly as its sender's phone has it; undefined where a word was
 * changed on the way, or an end is missing. Joined lines, quotation marks and words around it do no harm.
 */
export function readHandOff(message: string): Quote | undefined {
  const found = idInCode(message);
  if (!found) return undefined;
  // A reader of mail puts > before each line.
  const text = message
    .slice(0, found.at)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^[ \t]*>[ \t>]*/gm, '');
  const values = valuesIn(text);
  const quote = values && readQuote({ ...values, id: found.id });
  return quote && !faultIn(quote) && handOffCode(quote) === found.code ? quote : undefined;
}

/** Between the label of each field and that of the next. */
function valuesIn(text: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  let rest = text;
  for (const [at, field] of FIELDS.entries()) {
    const [, after] = divided(rest, labelOf(field));
    const next = FIELDS[at + 1];
    const [value, others] = next ? divided(after, labelOf(next), true) : [after, ''];
    if (value === undefined) return undefined;
    values[field] = valueOf(field, value);
    rest = others ?? '';
    if (!next) Object.assign(values, besideIn(value));
  }
  return values;
}

/** The parts before and after the first of these words, which may stay with the second. */
function divided(text: string | undefined, words: string, keep = false): [string?, string?] {
  const at = text?.indexOf(words) ?? -1;
  return at < 0 ? [] : [text!.slice(0, at), text!.slice(keep ? at : at + words.length)];
}

const labelOf = (field: Field) => /^[^:]+:/.exec(handOffLine(field, ''))![0];

function valueOf(field: Field, written: string): string | number | undefined {
  const { choices, most } = fields[field];
  const text = written.trim();
  if (choices)
    return choices.find((choice) => text.startsWith(handOffLine(field, choice).slice(labelOf(field).length).trim()));
  return most ? Number(/^\d+/.exec(text)?.[0]) : text;
}

function besideIn(text: string) {
  const reemplaza = /AP-\w{4}-\w{4}/.exec(text)?.[0];
  return {
    ...(text.includes(handOffBeside.llamada) && { llamada: true }),
    ...(text.includes(handOffBeside.promociones) && { promociones: true }),
    ...(reemplaza && { reemplaza }),
  };
}
