import { FIELDS } from '../lead/fields.ts';
import { mainWords, type Bilingual } from './bilingual.ts';
import { fieldWords } from './fields.ts';
import { listed } from './numbers.ts';

export interface Company {
  readonly name: string;
  readonly legalName: string;
  readonly phone: string;
  readonly email: string;
  readonly address: string;
}

/**
 * Facts about how this installation handles personal data. The privacy notice is made from them; a lawyer must review
 * the notice.
 */
export interface Handling {
  readonly place: 'own' | 'postgresql' | 'supabase';
  /** Place or region where the data are stored, in the operator's words; empty if the operator did not name one. */
  readonly where: string;
  /**
   * Uses of mail and WhatsApp. `mail`: mail to the team. `customers`: mail to customers. `replies`: mail from
   * customers.
   */
  readonly mail: boolean;
  readonly customers: boolean;
  readonly replies: boolean;
  readonly whatsApp: boolean;
  readonly voice: boolean;
  readonly tiles: boolean;
  /**
   * Months without activity after which a quote is blocked, to be erased later; 0 if no quote is blocked automatically.
   */
  readonly retentionMonths: number;
}

interface Clause {
  readonly title: string;
  readonly text?: string;
  readonly list?: readonly string[];
}

export interface LegalText {
  readonly title: Bilingual;
  readonly updated: string;
  readonly summary: string;
  readonly clauses: readonly Clause[];
}

export const back: Bilingual = { es: 'Volver al inicio', en: 'Back to the home page' };

/** Months for which a blocked quote is still stored; the database function private.retain then erases it. */
const BLOCKED_MONTHS = 3;

const STORED: Readonly<Record<Handling['place'], string>> = {
  own: 'en un equipo del propio responsable',
  postgresql: 'en un servidor de base de datos (PostgreSQL) bajo control del responsable',
  supabase: 'en el servicio de alojamiento y base de datos Supabase, que actúa como encargado',
};

function storedWhere({ place, where }: Handling): string {
  return `Sus datos se guardan ${STORED[place]}${where && ` (${where})`}.`;
}

function keptHowLong({ retentionMonths: months }: Handling, email: string): string {
  return months > 0
    ? `Una cotización se bloquea ${months} meses después del último mensaje, nota o documento sobre ella y se suprime ${BLOCKED_MONTHS} meses más tarde, salvo que usted pida antes su cancelación o una ley obligue a conservarla.`
    : `Se conservan mientras duren las finalidades que les dieron origen, o hasta que usted pida su cancelación en ${email}: primero se bloquean y después se suprimen. No hay un plazo automático.`;
}

/** Names the companies that process personal data for the operator. */
function processors({ place, mail, customers, replies, whatsApp, voice, tiles }: Handling): string {
  const all = [
    place === 'supabase' && 'alojamiento y base de datos (Supabase)',
    'los servicios de notificaciones de su navegador (Google, Mozilla, Apple o Microsoft), que reciben sólo folio y tipo de aviso, cifrados',
    mail && 'el correo del equipo de ventas, que recibe sólo folios',
    customers &&
      'el servicio de correo por el que le enviamos lo que respondemos (su nombre, su correo y el texto), salvo que usted lo desactive en su comprobante',
    replies &&
      'el servicio de correo en cuyo buzón contesta nuestros correos: guardamos con su solicitud su correo, lo que escribe y lo que adjunta',
    whatsApp &&
      'WhatsApp (Meta), sólo si usted lo pide en su comprobante o nos escribe por ahí: recibe su nombre, su número, lo que respondemos y lo que usted escribe, hasta que lo desactive o responda BAJA',
    voice && 'asistente de voz (Vapi)',
    tiles && 'el servicio de mapas, que ve la dirección IP de quien abre el mapa',
  ].filter(Boolean);
  return `${all.slice(0, -1).join(', ')}${all.length > 1 ? ' y ' : ''}${all.at(-1)}`;
}

export function privacy({ legalName, address, email, phone }: Company, handling: Handling): LegalText {
  return {
    title: { es: 'Aviso de privacidad', en: 'Privacy notice' },
    updated: 'Última actualización: 24 de noviembre de 2026',
    summary: `${legalName} uses the data of the quote form only to answer and follow up your request. You may ask to see, correct, delete or object to the use of your data at ${email}. The Spanish text prevails.`,
    clauses: [
      {
        title: 'Responsable',
        text: `${legalName}, con domicilio en ${address}, es responsable del tratamiento de sus datos personales conforme a la Ley Federal de Protección de Datos Personales en Posesión de los Particulares (LFPDPPP), en vigor desde el 21 de marzo de 2025.`,
      },
      {
        title: 'Datos que tratamos',
        list: [
          `Del formulario de cotización: ${mainWords(listed(FIELDS.map((field) => mainWords(fieldWords[field].label).toLowerCase())))}.`,
          'De lo que sigue a su solicitud: los mensajes, las ofertas y sus respuestas, los detalles del embarque, las fotos o papeles que adjunte, y las notas internas del equipo de ventas.',
          'Si pide que le avisemos: la dirección que su navegador da para notificaciones.',
          ...(handling.voice ? ['Si habla con el asistente de voz: el audio de la llamada y su transcripción.'] : []),
          'Del uso del sitio: dirección IP y datos técnicos de la conexión, para seguridad y para limitar abusos.',
          'No pedimos datos personales sensibles ni datos financieros.',
        ],
      },
      {
        title: 'Finalidades necesarias',
        list: [
          'Preparar su cotización y responderla.',
          'Reservar espacio, dar seguimiento al embarque y aclarar dudas sobre él.',
          'Cumplir las obligaciones legales que nazcan de esa relación.',
        ],
      },
      {
        title: 'Finalidades voluntarias',
        list: ['Enviarle novedades sobre rutas, tarifas y servicios.'],
        text: `Sólo con su autorización. Negarla, o retirarla después en el comprobante de su cotización o en ${email}, no afecta su cotización.`,
      },
      {
        title: 'Dónde se guardan y cuánto tiempo',
        text: `${storedWhere(handling)} ${keptHowLong(handling, email)}`,
      },
      {
        title: 'Lo que se guarda en su teléfono',
        text: 'Una solicitud sin señal espera en su dispositivo hasta entregarse. Treinta días después de la entrega se borran de él sus datos personales y quedan el folio y la fecha. Puede borrar todo antes desde el sitio. No usamos cookies de publicidad.',
      },
      {
        title: 'Quién más interviene',
        text: `Proveedores que actúan por nuestra cuenta y con nuestras instrucciones (encargados), algunos fuera de México: ${processors(handling)}. Si usted escribe o nos entrega su solicitud por WhatsApp, SMS o correo, ese servicio la transmite bajo sus propias condiciones. No vendemos ni transferimos sus datos a terceros sin su consentimiento, salvo los casos que la ley permite.`,
      },
      {
        title: 'Derechos ARCO y revocación',
        text: `Puede pedir acceso, rectificación, cancelación u oposición, revocar su consentimiento o limitar el uso de sus datos escribiendo a ${email} o llamando al ${phone.replaceAll(' ', '\u00a0')}. Incluya su nombre, un medio para responderle, copia de una identificación y lo que solicita; el folio de la cotización ayuda. Respondemos en un máximo de 20 días hábiles y, si procede, lo hacemos efectivo en los 15 siguientes.`,
      },
      {
        title: 'Autoridad',
        text: 'Si considera que su derecho no fue atendido, puede acudir a la Secretaría Anticorrupción y Buen Gobierno.',
      },
      {
        title: 'Cambios a este aviso',
        text: 'Cualquier cambio se publica en esta página con su fecha y su versión, que queda anotada en cada cotización enviada bajo ella. Si cambian las finalidades, pedimos su consentimiento de nuevo.',
      },
    ],
  };
}

export function terms({ legalName, email }: Company): LegalText {
  return {
    title: { es: 'Términos de uso', en: 'Terms of use' },
    updated: 'Última actualización: 1 de noviembre de 2025',
    summary:
      'A quote is information, not a contract of carriage. Rates depend on the data you declare and on space at booking. The Spanish text prevails.',
    clauses: [
      {
        title: 'El sitio',
        text: `Este sitio es de ${legalName} y sirve para informar sobre su servicio de carga aérea y recibir solicitudes de cotización.`,
      },
      {
        title: 'La cotización',
        text: 'Solicitarla no tiene costo ni compromiso y no constituye un contrato de transporte. La tarifa depende del peso, las medidas y el tipo de carga declarados, y del espacio disponible al reservar. El tipo de cambio se recalcula al reservar y se confirma 24 horas antes del vuelo.',
      },
      {
        title: 'Código spot',
        text: 'La tarifa spot requiere un código vigente. Los códigos diarios son limitados; sin código se factura el nivel de tarifa más alto.',
      },
      {
        title: 'La carga',
        text: 'No se aceptan mercancías peligrosas. Baterías de litio, hielo seco y farmacéuticos deben declararse en la guía aérea con su código. El embarcador responde de que la declaración y los documentos sean veraces y estén completos.',
      },
      {
        title: 'Tiempos y cifras',
        text: 'El tiempo de vuelo, la puntualidad, la merma y la capacidad publicados son referencias del servicio y pueden variar por clima, autoridad o causa de fuerza mayor. Obliga lo que se pacte en cada reserva.',
      },
      {
        title: 'Transporte',
        text: 'Cada embarque se rige por su guía aérea y por el Convenio de Montreal de 1999.',
      },
      {
        title: 'Ley aplicable y contacto',
        text: `Estos términos se rigen por las leyes de México y los tribunales de Tijuana, Baja California. Para cualquier duda escriba a ${email}.`,
      },
    ],
  };
}

export const notFound = {
  title: { es: 'Esta página no está en el manifiesto', en: 'This page is not on the manifest' },
  text: {
    es: 'La dirección cambió o se escribió con un error. La carga sigue su ruta.',
    en: 'The address changed or was mistyped. The cargo is still on its way.',
  },
} as const;
