import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const deskTemplates = {
  open: { es: 'Plantillas', en: 'Templates' },
  first: { es: 'Plantilla de inicio', en: 'First template' },
  edit: { es: 'Editar plantillas', en: 'Edit templates' },
  hint: {
    es: 'Escriba / en un renglón vacío para ver la lista. Se completan solos: {nombre}, {empresa}, {peso}, {carga}, {folio}.',
    en: 'Write / on an empty line for the list. Filled in automatically: {nombre}, {empresa}, {peso}, {carga}, {folio}.',
  },
  changed: sentence<[name: string, when: Bilingual]>(
    (name, when) => `Cambio de ${name}, ${when}`,
    (name, when) => `Changed by ${name}, ${when}`,
  ),
  up: { es: 'Subir', en: 'Up' },
  down: { es: 'Bajar', en: 'Down' },
  change: { es: 'Cambiar', en: 'Change' },
  remove: { es: 'Quitar', en: 'Remove' },
  removeIndeed: { es: 'Quitar para todos', en: 'Remove for everybody' },
  add: { es: 'Nueva plantilla', en: 'New template' },
  name: { es: 'Nombre', en: 'Name' },
  body: { es: 'En español', en: 'In Spanish' },
  bodyEn: { es: 'En inglés, debajo (si quiere)', en: 'In English, beneath (if you like)' },
  save: { es: 'Guardar plantilla', en: 'Save template' },
  empty: { es: 'Escriba el nombre y el texto.', en: 'Write the name and the text.' },
  long: { es: 'Los dos textos juntos caben en 4,000 letras.', en: 'Both texts together fit in 4,000 letters.' },
  notSaved: {
    es: 'El servidor no lo aceptó. Cien plantillas son el máximo, y no toda cuenta puede cambiarlas.',
    en: 'The server did not accept it. A hundred templates are the most, and not every account may change them.',
  },
} as const;
