import { spanishWords } from '../content/bilingual.ts';
import { faultOf } from '../content/field-failures.ts';
import { fields, FIELDS, type Field } from '../lead/fields.ts';
import { assistantValues } from '../phone/assistant-values.ts';
import type { ToolCall, ToolAnswer } from './call.ts';

/** Name under which the assistant requests to fill in a field of the form (docs/voice.md). */
export const FILL_IN = 'llenar_campo';

/**
 * Ids of the requests that were carried out. If a request is repeated, it must not overwrite what the visitor has
 * corrected since.
 */
const done = new Set<string>();

/**
 * Fills in one field of the form when the assistant calls the tool FILL_IN; calls of other tools are ignored. The
 * returned text is for the assistant, not for the visitor.
 */
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

/** Removes spaces around a spoken text. Choices become lower-case, as the values of the form's selects are. */
function normalizeText(field: Field, text: string): string {
  const { choices, lowerCase } = fields[field];
  return choices || lowerCase ? text.trim().toLowerCase() : text.trim();
}

/** Reads the arguments of a request, which the service sends as an object or as JSON text. */
function argumentsIn(text: unknown): { readonly campo?: unknown; readonly valor?: unknown } {
  try {
    const read: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
