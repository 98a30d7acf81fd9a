import { mainWords } from '../content/bilingual.ts';
import { faultOf } from '../content/field-failures.ts';
import { fields, FIELDS, type Field } from '../lead/fields.ts';
import { heard } from '../phone/heard.ts';
import type { ToolCall, ToolAnswer } from './call.ts';

/** The tool by which the assistant writes into the form (docs/voice.md). */
export const FILL_IN = 'llenar_campo';

/** A service that says it twice must not write over what the visitor has corrected meanwhile. */
const done = new Set<string>();

/** Shows one value in the form; of anything else nothing is done. What it answers is for the assistant alone. */
export function fillIn({ id, name, written }: ToolCall): ToolAnswer | undefined {
  if (name !== FILL_IN || done.has(id)) return undefined;
  done.add(id);
  const { campo, valor } = argumentsIn(written);
  const field = FIELDS.find((each) => each === campo);
  if (!field) return again(`El formulario no tiene ese campo. Tiene: ${FIELDS.join(', ')}.`);
  if (typeof valor !== 'string' && typeof valor !== 'number') return again(`Falta el valor de ${field}.`);
  const value = asWritten(field, String(valor));
  const fault = faultOf(field, value);
  if (fault) return again(`${field} no se escribió: ${mainWords(fault)}. Pregunte otra vez.`);
  heard.set(new Map([...heard.read(), [field, value]]));
  return { text: `${field} está en el formulario; la persona lo confirma y lo envía ella misma.`, isRefused: false };
}

const again = (text: string): ToolAnswer => ({ text, isRefused: true });

/** As the form would take it: a choice is told by its word, which is its value in lower case. */
function asWritten(field: Field, said: string): string {
  const { choices, lowerCase } = fields[field];
  return choices || lowerCase ? said.trim().toLowerCase() : said.trim();
}

/** The service sends them as an object or as its text. */
function argumentsIn(written: unknown): { readonly campo?: unknown; readonly valor?: unknown } {
  try {
    const read: unknown = typeof written === 'string' ? JSON.parse(written) : written;
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
