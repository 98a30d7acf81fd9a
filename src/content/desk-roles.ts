import type { Bilingual } from './bilingual.ts';

/** What supervisors do, and agents with their own leads. */
export const roles = {
  handOver: {
    open: { es: 'Pasar a un colega', en: 'Hand to a colleague' },
    to: { es: 'Para', en: 'To' },
    choose: { es: 'Elija', en: 'Choose' },
    list: { es: 'la lista: quien la tome', en: 'the list: whoever takes it' },
    send: { es: 'Pasar', en: 'Hand over' },
    nobody: { es: 'No hay otra persona en la mesa.', en: 'Nobody else is at the desk.' },
    away: { es: 'Ya no está. Elija a otra persona.', en: 'Not here any more. Choose somebody else.' },
  },
  block: {
    open: { es: 'Bloquear', en: 'Block' },
    what: {
      es: 'Nadie la verá más, tampoco el teléfono que la pidió. Sólo quien cuida el servidor la abre de nuevo o la borra.',
      en: 'Nobody will see it any more, nor will the phone that asked. Only whoever looks after the server opens it again or erases it.',
    },
    send: { es: 'Bloquear esta solicitud', en: 'Block this request' },
    done: { es: 'Bloqueada.', en: 'Blocked.' },
  },
  exports: {
    title: { es: 'Descargas', en: 'Downloads' },
    one: (who: string, when: string, rows: number): Bilingual => ({
      es: `${who}, ${when}: ${rows} ${rows === 1 ? 'fila' : 'filas'}`,
      en: `${who}, ${when}: ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    }),
    terminal: { es: 'la terminal', en: 'the terminal' },
    failed: {
      es: 'No se pudo anotar la descarga, y sin eso no hay archivo. Intente de nuevo.',
      en: 'The download could not be noted, and without that there is no file. Try again.',
    },
    askSupervisor: { es: 'La descarga (CSV) la hace quien supervisa.', en: 'Supervisors download the CSV.' },
  },
} as const;
