import { spanishWords } from '../content/bilingual.ts';
import { faultOf } from '../content/field-failures.ts';
import { fields, FIELDS, type Field } from '../lead/fields.ts';
import { assistantValues } from '../phone/assistant-values.ts';
import type { ToolCall, ToolAnswer } from './call.ts';

/** Name of the assistant's tool that fills in a field of the form (docs/voice.md). */
export const FILL_IN = 'llenar_campo';

/** Ids of the requests already carried out: a repeated request must not overwrite the visitor's correction. */
const done = new Set<string>();

/** Fills in one field of the form; other tools are ignored. The returned answer is for the assistant alone. */
export function fillIn({ id, name, rawArguments }: ToolCall): ToolAnswer | undefined {
  if (name !== FILL_IN || done.has(id)) return undefined;
  done.add(id);
  const { campo, valor } = argumentsIn(rawArguments);
  const field = FIELDS.find((each) => each === campo);
  if (!field) return refusal(`El formulario no tiene ese campo. Tiene: ${FIELDS.join(', ')}.`);
  if (typeof valor !== 'string' && typeof valor !== 'number') return refusal(`Falta el valor de ${field}.`);
  const value = normalizeText(field, String(valor));
  const fault = faultOf(field, value);
  if (fault) return refusal(`${field} no se escribió: ${spanishWords(fault)}. Pregunte otra vez.`);
  assistantValues.set(new Map([...assistantValues.read(), [field, value]]));
  return { text: `${field} está en el formulario; la persona lo confirma y lo envía ella misma.`, isRefused: false };
}

const refusal = (text: string): ToolAnswer => ({ text, isRefused: true });

/** Normalizes a spoken text. Choices of the form become lower-case, as their values are. */
function normalizeText(field: Field, text: string): string {
  const { choices, lowerCase } = fields[field];
  return choices || lowerCase ? text.trim().toLowerCase() : text.trim();
}

/** Reads the arguments, which the service sends as an object or as JSON text. */
function argumentsIn(text: unknown): { readonly campo?: unknown; readonly valor?: unknown } {
  try {
    const read: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
