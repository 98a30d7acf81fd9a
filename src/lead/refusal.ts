import type { Field } from './fields.ts';

export type Refusal =
  | { readonly kind: 'invalid'; readonly field: Field }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** The server has an identical request. */
  | { readonly kind: 'known' }
  /** The quote was delivered before its correction. */
  | { readonly kind: 'superseded' };
