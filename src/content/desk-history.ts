import { mainWords, type Bilingual } from './bilingual.ts';

/** Words of the search through all requests, and of a customer's history. */
export const deskHistory = {
  search: {
    asking: { es: 'Buscando en todo…', en: 'Searching everything…' },
    short: (words: string): Bilingual => ({
      es: `Sin resultados para «${words}» en los últimos 30 días. Con tres letras se busca en todo.`,
      en: `Nothing with “${words}” in the last 30 days. From three letters on everything is searched.`,
    }),
    nothing: (words: string): Bilingual => ({
      es: `Sin resultados para «${words}», ni en solicitudes anteriores.`,
      en: `Nothing with “${words}”, however old.`,
    }),
    most: { es: 'De lo antiguo, sólo las 50 más nuevas.', en: 'Of the old ones, the newest 50 only.' },
    recent: {
      es: 'Sin respuesta del servidor: sólo se buscó en los últimos 30 días.',
      en: 'No answer from the server: only the last 30 days were searched.',
    },
  },
  title: { es: 'Del mismo cliente', en: 'By the same customer' },
  noPrice: { es: 'sin oferta', en: 'no offer' },
  joinedHere: { es: 'combinada con ésta', en: 'combined with this one' },
  join: { es: 'Combinar con ésta', en: 'Combine with this one' },
  sure: (folio: string): Bilingual => ({
    es: `El plazo de ${folio} termina y su teléfono lee: «${mainWords(joinedNotice)}»`,
    en: `The clock of ${folio} stops, and its phone reads that the answer comes with the other request.`,
  }),
  joined: { es: 'Combinadas: el cliente ya lo ve en su teléfono.', en: 'Combined. The customer can see it now.' },
  notJoined: {
    es: 'No se combinaron: una de las dos cambió mientras tanto, o la tiene otra persona.',
    en: 'Not combined: one of the two has changed meanwhile, or somebody else has it.',
  },
  joinedBy: (name: string): Bilingual => ({
    es: `${name} la combinó con otra del mismo cliente`,
    en: `Combined by ${name} with another of the same customer`,
  }),
} as const;

/** Text for the phone of a joined quote. Names no folio: the other quote may come from somebody else. */
export const joinedNotice = {
  es: 'Recibimos de usted otra solicitud el mismo día y las atendemos juntas: la respuesta llega en la otra.',
  en: 'We received another request of yours on the same day and look after both together: the answer comes with the other.',
};
