import type { Bilingual } from './bilingual.ts';

/** Texts about contact data that the phone filled in by itself. */
export const filledContact = {
  filledIn: {
    es: 'Llenamos sus datos de la última vez.',
    en: 'We filled in your details from last time.',
  },
  forget: { es: 'Quitar', en: 'Remove' },
} as const satisfies Record<string, Bilingual>;
