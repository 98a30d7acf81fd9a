import type { Bilingual } from './bilingual.ts';
import { deskLead } from './desk-lead.ts';

/** Texts of the list of leads, its filters and the row above it. */
export const deskList = {
  fresh: { es: 'Al día', en: 'Up to date' },
  asking: { es: 'Actualizando…', en: 'Updating…' },
  stale: (time: string): Bilingual => ({
    es: `Sin conexión · datos de las ${time}`,
    en: `No connection · as of ${time}`,
  }),
  neverHeard: { es: 'Sin conexión', en: 'No connection' },
  filters: {
    open: { es: 'Abiertas', en: 'Open' },
    toBook: deskLead.standing.toBook,
    mine: { es: 'Mías', en: 'Mine' },
    unassigned: deskLead.unassigned,
    answered: { es: 'Respondidas', en: 'Answered' },
    late: { es: 'Vencidas', en: 'Overdue' },
    closed: { es: 'Cerradas', en: 'Closed' },
  },
  show: { es: 'Mostrar', en: 'Show' },
  search: {
    es: 'Buscar folio, nombre, empresa, teléfono o correo',
    en: 'Search reference, name, company, phone or e-mail',
  },
  list: { es: 'Solicitudes', en: 'Requests' },
  none: { es: 'Sin solicitudes en este filtro.', en: 'No requests in this filter.' },
  noneOpen: { es: 'Nadie espera respuesta.', en: 'Nobody is waiting for an answer.' },
  sum: (count: number, kilos: string): Bilingual => ({
    es: `${count} ${count === 1 ? 'solicitud' : 'solicitudes'} · ${kilos} kg al mes`,
    en: `${count} ${count === 1 ? 'request' : 'requests'} · ${kilos} kg a month`,
  }),
  order: { es: 'Ordenar por', en: 'Sort by' },
  orders: {
    urgency: { es: 'Por plazo', en: 'By deadline' },
    received: { es: 'Más recientes', en: 'Newest' },
    weight: { es: 'Mayor peso', en: 'Heaviest' },
    name: { es: 'Por nombre', en: 'By name' },
  },
  narrow: { es: 'Filtrar', en: 'Filter' },
  narrowed: { es: 'Filtrado', en: 'Filtered' },
  widen: { es: 'Quitar filtros', en: 'Remove filters' },
  status: { es: 'Estado', en: 'Status' },
  allStatuses: { es: 'Todos los estados', en: 'Any status' },
  from: { es: 'Desde (kg al mes)', en: 'From (kg a month)' },
  to: { es: 'Hasta (kg al mes)', en: 'To (kg a month)' },
  cargo: { es: 'Tipo de carga', en: 'Type of cargo' },
  allCargo: { es: 'Toda la carga', en: 'All cargo' },
  allOwners: { es: 'Todo el equipo', en: 'Whole team' },
  accepted: (name: string, offer: string): Bilingual => ({
    es: `${name} aceptó${offer ? ` ${offer}` : ''}.`,
    en: `${name} accepted${offer ? ` ${offer}` : ''}.`,
  }),
  next: { es: 'Siguiente', en: 'Next' },
  keys: {
    open: { es: 'Atajos', en: 'Shortcuts' },
    single: { es: 'Usar atajos de una letra', en: 'Use single-key shortcuts' },
    list: [
      { key: '↑ ↓', does: { es: 'moverse por la lista', en: 'move along the list' } },
      { key: 'Enter', does: { es: 'abrir la solicitud', en: 'open the request' } },
      { key: 'Esc', does: { es: 'cerrar lo último que se abrió', en: 'close what was opened last' } },
      { key: '/', does: { es: 'buscar', en: 'search' } },
      { key: 'j k', does: { es: 'solicitud siguiente, anterior', en: 'next, previous request' } },
      { key: 'x', does: { es: 'seleccionar, para actuar sobre varias', en: 'select, to act on several' } },
      { key: 't', does: { es: 'tomar', en: 'take' } },
      { key: 's', does: { es: 'liberar', en: 'release' } },
      { key: 'r', does: { es: 'responder', en: 'answer' } },
      { key: 'Ctrl Enter', does: { es: 'enviar la respuesta', en: 'send the answer' } },
      { key: 'n', does: { es: 'nota', en: 'note' } },
      { key: '?', does: { es: 'ver estos atajos', en: 'show these shortcuts' } },
    ],
  },
} as const;
