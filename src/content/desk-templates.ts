import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const deskTemplates = {
  open: { es: 'Plantillas', en: 'Templates' },
  first: { es: 'Plantilla inicial', en: 'Initial template' },
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
  bodyEn: { es: 'En inglés (opcional)', en: 'In English (optional)' },
  save: { es: 'Guardar plantilla', en: 'Save template' },
  empty: { es: 'Escriba el nombre y el texto.', en: 'Write the name and the text.' },
  lines: {
    es: 'Complete los importes del desglose, o quítelo.',
    en: 'Complete the amounts of the lines, or remove them.',
  },
  long: {
    es: 'Los dos textos juntos no deben pasar de 4,000 caracteres.',
    en: 'Both texts together must be at most 4,000 characters.',
  },
  notSaved: {
    es: 'El servidor no la guardó. El máximo son cien plantillas, y algunas cuentas no pueden cambiarlas.',
    en: 'The server did not save it: a hundred is the maximum, and some accounts cannot change them.',
  },
} as const;
