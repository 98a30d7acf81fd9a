import type { Bilingual } from './bilingual.ts';

const done =
  (es: string, en: string) =>
  (leads: number, failed: number): Bilingual => ({
    es: `${leads} ${leads === 1 ? `solicitud ${es}` : `solicitudes ${es}s`}.${failed ? ` ${failed} sin cambio, aún ${failed === 1 ? 'seleccionada' : 'seleccionadas'}.` : ''}`,
    en: `${leads} ${leads === 1 ? 'request' : 'requests'} ${en}.${failed ? ` ${failed} unchanged, still selected.` : ''}`,
  });

/** Texts of an action on several leads at once. */
export const deskMany = {
  title: { es: 'Solicitudes seleccionadas', en: 'Selected requests' },
  chosen: (leads: number): Bilingual => ({
    es: leads === 1 ? '1 seleccionada' : `${leads} seleccionadas`,
    en: `${leads} selected`,
  }),
  choose: { es: 'Seleccionar (x)', en: 'Select (x)' },
  none: { es: 'Quitar selección', en: 'Clear selection' },
  all: { es: 'Seleccionar todas', en: 'Select all' },
  done: {
    take: done('tomada', 'taken'),
    hand: done('reasignada', 'reassigned'),
    lose: done('cerrada', 'closed'),
    undone: done('restaurada', 'restored'),
  },
  closed: { es: 'Ya está cerrada.', en: 'It is closed already.' },
  owned: (name: string): Bilingual => ({ es: `La atiende ${name}.`, en: `${name} is handling it.` }),
  takeFirst: { es: 'Tómela primero.', en: 'Take it first.' },
} as const;
