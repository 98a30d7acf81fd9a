import type { Bilingual } from './bilingual.ts';

const done =
  (es: string, en: string) =>
  (leads: number, failed: number): Bilingual => ({
    es: `${leads} ${leads === 1 ? `solicitud ${es}` : `solicitudes ${es}s`}.${failed ? ` ${failed} sin hacer, aún ${failed === 1 ? 'elegida' : 'elegidas'}.` : ''}`,
    en: `${leads} ${leads === 1 ? 'request' : 'requests'} ${en}.${failed ? ` ${failed} not done, still chosen.` : ''}`,
  });

/** Words of an action on several requests at once. */
export const deskMany = {
  title: { es: 'Solicitudes elegidas', en: 'Chosen requests' },
  chosen: (leads: number): Bilingual => ({
    es: leads === 1 ? '1 elegida' : `${leads} elegidas`,
    en: `${leads} chosen`,
  }),
  choose: { es: 'Elegir (x)', en: 'Choose (x)' },
  none: { es: 'No elegir', en: 'Choose none' },
  all: { es: 'Elegir todas', en: 'Choose all' },
  done: {
    take: done('tomada', 'taken'),
    hand: done('reasignada', 'reassigned'),
    lose: done('cerrada', 'closed'),
    undone: done('devuelta', 'restored'),
  },
  closed: { es: 'Ya está cerrada.', en: 'It is closed already.' },
  owned: (name: string): Bilingual => ({ es: `La tiene ${name}.`, en: `${name} has it.` }),
  takeFirst: { es: 'Tómela primero.', en: 'Take it first.' },
} as const;
