import type { Field } from './fields.ts';

export type Refusal =
  | { readonly kind: 'invalid'; readonly field: Field }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** The server already has an identical quote. */
  | { readonly kind: 'known' }
  /** The quote was delivered before its correction arrived, so the text of the quote can no longer be replaced. */
  | { readonly kind: 'superseded' };
