import type { Paper, PaperState } from '../lead/papers.ts';
import type { Bilingual } from './bilingual.ts';

interface PaperWords {
  readonly name: Bilingual;
  readonly issuer: Bilingual;
}

const senasica = { es: 'SENASICA', en: 'SENASICA (plant and animal health)' };
const cofepris = { es: 'COFEPRIS', en: 'COFEPRIS (health authority)' };
const exporter = { es: 'Usted', en: 'You' };
const importer = { es: 'Su importador en China', en: 'Your importer in China' };

/** Name of each shipping document, and who issues it. */
export const paperWords: Readonly<Record<Paper, PaperWords>> = {
  factura: { name: { es: 'Factura comercial', en: 'Commercial invoice' }, issuer: exporter },
  empaque: { name: { es: 'Lista de empaque', en: 'Packing list' }, issuer: exporter },
  pedimento: {
    name: { es: 'Pedimento de exportación', en: 'Export declaration' },
    issuer: { es: 'Su agente aduanal', en: 'Your customs broker' },
  },
  origen: {
    name: { es: 'Certificado de origen de artículos mexicanos', en: 'Certificate of Mexican origin' },
    issuer: { es: 'Secretaría de Economía, por VUCEM', en: 'Ministry of Economy, through VUCEM' },
  },
  fitosanitario: {
    name: { es: 'Certificado fitosanitario internacional', en: 'International phytosanitary certificate' },
    issuer: senasica,
  },
  listas: {
    name: {
      es: 'Huerto, empacadora y cuarto frío en la lista aprobada por China',
      en: 'Orchard, packing house and cold room on China’s approved list',
    },
    issuer: { es: 'SENASICA y la aduana de China (GACC)', en: 'SENASICA and China Customs (GACC)' },
  },
  fruta: {
    name: { es: 'Certificado fitosanitario y registro de huerto', en: 'Phytosanitary certificate and orchard record' },
    issuer: senasica,
  },
  sanitario: {
    name: { es: 'Certificado de sanidad acuícola para exportación', en: 'Aquatic health certificate for export' },
    issuer: senasica,
  },
  practicas: {
    name: {
      es: 'Certificado de buenas prácticas sanitarias de la planta',
      en: 'Certificate of good sanitary practice of the plant',
    },
    issuer: cofepris,
  },
  pesca: {
    name: { es: 'Aviso de arribo o guía de pesca', en: 'Landing notice or fishing permit' },
    issuer: { es: 'CONAPESCA', en: 'CONAPESCA (fisheries authority)' },
  },
  cuarentena: {
    name: { es: 'Permiso de cuarentena para animales vivos', en: 'Quarantine permit for live animals' },
    issuer: { es: 'Su importador, ante la aduana de China (GACC)', en: 'Your importer, at China Customs (GACC)' },
  },
  vidasilvestre: {
    name: { es: 'Permiso de exportación de vida silvestre', en: 'Wildlife export permit' },
    issuer: { es: 'SEMARNAT', en: 'SEMARNAT (environment ministry)' },
  },
  gacc: {
    name: {
      es: 'Registro en la aduana de China (GACC) de la planta y del almacén frío',
      en: 'China Customs (GACC) registration of plant and cold store',
    },
    issuer: { es: 'Aduana de China (GACC)', en: 'China Customs (GACC)' },
  },
  registro: {
    name: {
      es: 'Registro en la aduana de China (GACC) del productor',
      en: 'China Customs (GACC) registration of the producer',
    },
    issuer: { es: 'Aduana de China (GACC)', en: 'China Customs (GACC)' },
  },
  autenticidad: {
    name: { es: 'Certificado de exportación del lote de tequila', en: 'Export certificate of the tequila lot' },
    issuer: { es: 'Consejo Regulador del Tequila', en: 'Tequila Regulatory Council' },
  },
  nom: {
    name: { es: 'Certificado de cumplimiento NOM-006', en: 'NOM-006 certificate of compliance' },
    issuer: { es: 'Consejo Regulador del Tequila', en: 'Tequila Regulatory Council' },
  },
  mezcal: {
    name: { es: 'Certificado NOM-070 y de exportación del mezcal', en: 'NOM-070 and export certificate of the mezcal' },
    issuer: { es: 'Organismo acreditado', en: 'Accredited body' },
  },
  libreventa: { name: { es: 'Certificado de libre venta', en: 'Certificate of free sale' }, issuer: cofepris },
  etiqueta: { name: { es: 'Etiqueta en chino', en: 'Label in Chinese' }, issuer: importer },
  nmpa: {
    name: { es: 'Registro del dispositivo en China (NMPA)', en: 'Registration of the device in China (NMPA)' },
    issuer: importer,
  },
  cofepris: {
    name: { es: 'Certificado de exportación de insumos para la salud', en: 'Export certificate of health supplies' },
    issuer: cofepris,
  },
  ccc: { name: { es: 'Certificación CCC de la pieza', en: 'CCC certification of the part' }, issuer: importer },
  bateria: {
    name: { es: 'Resumen de la prueba UN 38.3 de la batería', en: 'UN 38.3 test summary of the battery' },
    issuer: { es: 'El fabricante de la batería', en: 'The battery’s maker' },
  },
  seguridad: {
    name: { es: 'Hoja de datos de seguridad (MSDS)', en: 'Safety data sheet (MSDS)' },
    issuer: { es: 'El fabricante', en: 'The maker' },
  },
};

const unmarked = { es: 'Elija', en: 'Choose' };

export const papers = {
  guide: {
    es: 'Lista orientativa: confírmela con su agente aduanal.',
    en: 'For guidance: confirm it with your customs broker.',
  },
  noProduct: {
    es: 'Escriba el producto en los detalles para ver qué más se pide.',
    en: 'Write the product in the details to see what else is asked for.',
  },
  unadmitted: {
    es: 'No encontramos que China admita fresa fresca de México. Pregunte a SENASICA antes de empacar.',
    en: 'We found no sign that China admits fresh strawberries from Mexico. Ask SENASICA before you pack.',
  },
  needed: { es: 'se necesita', en: 'needed' },
  ask: { es: 'pregunte si se necesita', en: 'ask whether it is needed' },
  takes: (days: number): Bilingual => ({ es: `tarda ${days} días hábiles`, en: `takes ${days} business days` }),
  before: (days: number): Bilingual => ({
    es: days === 1 ? 'un día antes del cierre' : `${days} días antes del cierre`,
    en: days === 1 ? 'one day before cut-off' : `${days} days before cut-off`,
  }),
  states: {
    unmarked,
    tengo: { es: 'Lo tengo', en: 'I have it' },
    pedida: { es: 'Ya lo pedí', en: 'I asked for it' },
    falta: { es: 'Me falta', en: 'I lack it' },
  } satisfies Record<PaperState | 'unmarked', Bilingual>,
  attach: { es: 'Adjuntar', en: 'Attach' },
  attached: { es: 'adjunto', en: 'attached' },
  sends: {
    waiting: { es: 'guardado en este teléfono', en: 'saved on this phone' },
    refused: { es: 'no se pudo entregar; márquelo otra vez', en: 'could not be delivered; mark it again' },
  },
};

/** Texts about shipping documents at the desk, which speak of the customer, not to the customer. */
export const deskPapers = {
  states: {
    unmarked,
    tengo: { es: 'Listo', en: 'Ready' },
    pedida: { es: 'Pedido', en: 'Asked for' },
    falta: { es: 'Falta', en: 'Missing' },
  } satisfies Record<PaperState | 'unmarked', Bilingual>,
  customer: { es: 'cliente', en: 'customer' },
  /** Days left until a document should be ready. */
  left: (days: number): Bilingual =>
    days < 0
      ? { es: 'ya debía estar listo', en: 'overdue' }
      : { es: days === 1 ? 'queda 1 día' : `quedan ${days} días`, en: days === 1 ? '1 day left' : `${days} days left` },
  saved: { es: 'Documento anotado.', en: 'Paper noted.' },
};
