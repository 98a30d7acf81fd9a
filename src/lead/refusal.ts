import type { Field } from './fields.ts';

/** Why a quote was turned away for good, as facts: the page finds the words. */
export type Refusal =
  | { readonly kind: 'invalid'; readonly field: Field }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** Another request like it was stored before. */
  | { readonly kind: 'known' }
  /** The quote was stored before it was corrected, with the data it had then. */
  | { readonly kind: 'superseded' };
