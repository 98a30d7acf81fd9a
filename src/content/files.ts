import { MOST_FILES } from '../lead/files.ts';
import type { Bilingual } from './bilingual.ts';

/** Texts about attached files, on the phone. */
export const files = {
  title: { es: 'Fotos y documentos', en: 'Photos and documents' },
  add: { es: 'Agregar fotos o PDF', en: 'Add photos or PDF' },
  how: (most: number): Bilingual => ({
    es: `Hasta ${most}, fotos o PDF de 10\u00a0MB. Reducimos las fotos y les quitamos la ubicación; un PDF conserva el nombre de su autor.`,
    en: `Up to ${most}, photos or PDF of 10\u00a0MB. Photos are resized and their location removed; a PDF keeps its author’s name.`,
  }),
  preparing: { es: 'Preparando…', en: 'Preparing…' },
  remove: (name: string): Bilingual => ({ es: `Quitar ${name}`, en: `Remove ${name}` }),
  states: {
    waiting: {
      es: 'en este teléfono; se envía después de la solicitud',
      en: 'on this phone; it is sent after the request',
    },
    onItsWay: (percent: number): Bilingual => ({ es: `enviando, ${percent} %`, en: `sending, ${percent}%` }),
    delivered: { es: 'entregada', en: 'delivered' },
    refused: { es: 'no se pudo entregar', en: 'it could not be delivered' },
    damaged: { es: 'se dañó en este teléfono: agréguela otra vez', en: 'damaged on this phone: add it again' },
    gone: { es: 'ya no está en este teléfono: agréguela otra vez', en: 'no longer on this phone: add it again' },
  },
  known: (name: string): Bilingual => ({ es: `${name} ya está agregado.`, en: `${name} is already added.` }),
  /** Reasons why a file was refused. */
  not: {
    type: (name: string): Bilingual => ({
      es: `${name} no es una foto ni un PDF que este teléfono pueda leer.`,
      en: `${name} is not a photo or PDF that this phone can read.`,
    }),
    size: (name: string): Bilingual => ({ es: `${name} pesa más de 10 MB.`, en: `${name} is over 10 MB.` }),
    many: (name: string): Bilingual => ({
      es: `${name} no se agregó: el máximo son ${MOST_FILES} archivos.`,
      en: `${name} was not added: the maximum is ${MOST_FILES} files.`,
    }),
    room: (name: string): Bilingual => ({
      es: `Este teléfono no tiene espacio para ${name}. Su solicitud está a salvo; envíe el archivo por WhatsApp.`,
      en: `This phone has no room for ${name}. Your request is safe; send the file by WhatsApp.`,
    }),
  },
};

/** Texts about attached files, at the desk. */
export const papers = {
  title: { es: 'Fotos y documentos', en: 'Photos and documents' },
  save: { es: 'Descargar', en: 'Download' },
  coming: { es: 'en camino', en: 'on its way' },
  saved: {
    es: 'Descargado. Lo envió el cliente: ábralo con cuidado.',
    en: 'Downloaded. The customer sent it: open it with care.',
  },
  broken: { es: 'Llegó incompleto; pida que lo envíen otra vez.', en: 'It arrived incomplete; ask for it again.' },
};

export function sizeInWords(bytes: number): string {
  const megabytes = bytes / 1e6;
  return megabytes < 0.1
    ? `${Math.max(1, Math.round(bytes / 1000))}\u00a0kB`
    : `${megabytes.toLocaleString('es-MX', { maximumFractionDigits: 1 })}\u00a0MB`;
}
