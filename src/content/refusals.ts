import { englishWords, type Bilingual } from './bilingual.ts';
import { formFailures, helperFailures } from './failures.ts';
import { failureOf } from './field-failures.ts';
import { guardFailures } from './fields.ts';
import { quoteForm } from './quote-form.ts';
import type { Refusal } from '../lead/refusal.ts';

/** Returns the sentence for an error code of the database (docs/product.md). */
export function helperMessage(code: string | undefined, message: string): string {
  switch (code) {
    case '23505':
      return helperFailures.known;
    case '42501':
      return helperFailures.permission;
    case '23514':
      return helperFailures.constraint;
    case undefined:
      return helperFailures.unknown;
    default:
      return helperFailures.database(message);
  }
}

/**
 * Returns the sentence that the form shows for an error. Words in the error's text decide, as the specification says
 * (docs/product.md).
 */
export function formMessage(error: string): Bilingual {
  if (/network|fetch/i.test(error)) return formFailures.connection;
  if (/email/i.test(error)) return formFailures.known;
  if (/permisos|policy/i.test(error)) return formFailures.temporary;
  if (/datos|constraint|invalid/i.test(error)) return formFailures.invalid;
  if (error && !error.includes('Unknown')) return { es: error, en: englishWords(formFailures.other) };
  return formFailures.other;
}

/** Returns the form's sentence for a quote that did not reach the server or was denied access. */
export function undeliveredMessage({ accessDenied }: { readonly accessDenied: boolean }): Bilingual {
  return formMessage(accessDenied ? helperMessage('42501', '') : 'Failed to fetch');
}

export function refusalMessage(refusal: Refusal): Bilingual {
  switch (refusal.kind) {
    case 'invalid':
      return guardFailures[refusal.field] ?? failureOf(refusal.field, 'invalid');
    case 'known':
      return formMessage(helperMessage('23505', ''));
    case 'rejected':
      return formMessage(helperMessage(refusal.code, refusal.message));
    case 'superseded':
      return quoteForm.superseded;
  }
}
