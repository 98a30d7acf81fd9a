import { mainWords, type Bilingual } from './bilingual.ts';

/** Texts of the search through all leads, and of a customer's earlier leads. */
export const deskHistory = {
  search: {
    asking: { es: 'Buscando en todas…', en: 'Searching all…' },
    short: (words: string): Bilingual => ({
      es: `Sin resultados para «${words}» en los últimos 30 días. Escriba tres letras para buscar en todas.`,
      en: `No results for “${words}” in the last 30 days. Write three letters to search all.`,
    }),
    nothing: (words: string): Bilingual => ({
      es: `Sin resultados para «${words}», ni en solicitudes anteriores.`,
      en: `No results for “${words}”, not even in older ones.`,
    }),
    most: { es: 'De las anteriores, sólo las 50 más recientes.', en: 'Of the older ones, only the latest 50.' },
    recent: {
      es: 'El servidor no respondió: sólo se buscó en los últimos 30 días.',
      en: 'The server did not answer: only the last 30 days were searched.',
    },
  },
  title: { es: 'Del mismo cliente', en: 'From the same customer' },
  noPrice: { es: 'sin oferta', en: 'no offer' },
  joinedHere: { es: 'combinada con ésta', en: 'combined with this one' },
  join: { es: 'Combinar con ésta', en: 'Combine with this one' },
  sure: (folio: string): Bilingual => ({
    es: `El plazo de ${folio} termina y su teléfono mostrará: «${mainWords(joinedNotice)}»`,
    en: `The clock of ${folio} stops, and its phone will say that the answer comes with the other request.`,
  }),
  joined: { es: 'Combinadas: el cliente ya lo ve en su teléfono.', en: 'Combined. The customer can see it now.' },
  notJoined: {
    es: 'No se combinaron: una de las dos cambió mientras tanto o la atiende otra persona.',
    en: 'Not combined: one of the two has changed meanwhile, or somebody else is handling it.',
  },
  joinedBy: (name: string): Bilingual => ({
    es: `${name} la combinó con otra del mismo cliente`,
    en: `Combined by ${name} with another of the same customer`,
  }),
} as const;

/**
 * Text on the phone for a quote that was combined with another quote. The text does not name the other folio, because
 * another person may have sent the other quote.
 */
export const joinedNotice = {
  es: 'Recibimos otra solicitud suya el mismo día y las atendemos juntas: le respondemos en la otra.',
  en: 'We received another request of yours that day and handle both together: our answer comes with the other.',
};
