import { mainWords, type Bilingual } from './bilingual.ts';

/** The words of the desk for all of time: a search of it, and what one customer asked before. */
export const deskHistory = {
  search: {
    asking: { es: 'Buscando en todo…', en: 'Searching everything…' },
    short: (words: string): Bilingual => ({
      es: `Nada con «${words}» en los últimos 30 días. Desde tres letras se busca en todo.`,
      en: `Nothing with “${words}” in the last 30 days. From three letters on everything is searched.`,
    }),
    nothing: (words: string): Bilingual => ({
      es: `Nada con «${words}», tampoco en lo más antiguo.`,
      en: `Nothing with “${words}”, however old.`,
    }),
    most: { es: 'De lo antiguo, sólo las 50 más nuevas.', en: 'Of the old ones, the newest 50 only.' },
    recent: {
      es: 'Sin respuesta del servidor: sólo se buscó en los últimos 30 días.',
      en: 'No answer from the server: only the last 30 days were searched.',
    },
  },
  title: { es: 'Del mismo cliente', en: 'By the same customer' },
  noPrice: { es: 'sin precio', en: 'no price' },
  joinedHere: { es: 'unida a ésta', en: 'joined to this one' },
  join: { es: 'Unir a ésta', en: 'Join to this one' },
  sure: (folio: string): Bilingual => ({
    es: `El plazo de ${folio} termina y su teléfono lee: «${mainWords(told)}»`,
    en: `The clock of ${folio} stops, and its phone reads that the answer comes with the other request.`,
  }),
  joined: { es: 'Unidas. El teléfono lo dice.', en: 'Joined. The phone says it.' },
  notJoined: {
    es: 'No se unieron: una de las dos cambió mientras tanto, o la tiene otra persona.',
    en: 'Not joined: one of the two has changed meanwhile, or somebody else has it.',
  },
  joinedBy: (name: string): Bilingual => ({
    es: `La unió ${name} a otra del mismo cliente`,
    en: `Joined by ${name} to another of the same customer`,
  }),
} as const;

/** What the phone of a joined quote is told. Its other quote may be somebody else's word: no folio of it is said. */
export const told = {
  es: 'Recibimos de usted otra solicitud el mismo día y las atendemos juntas: la respuesta llega en la otra.',
  en: 'We received another request of yours on the same day and look after both together: the answer comes with the other.',
};
