import type { ErrorGroupName } from '../lead/whatsapp-codes.ts';
import type { Bilingual } from './bilingual.ts';

/** Reasons why WhatsApp refused a message, by group of error codes. */
export const whatsAppFailures = {
  window: { es: 'pasaron 24 horas desde su último mensaje', en: '24 hours since their last message' },
  unreachable: { es: 'ese número no tiene WhatsApp', en: 'that number has no WhatsApp' },
  throughput: { es: 'demasiados mensajes a la vez', en: 'too many messages at once' },
  pace: { es: 'demasiados mensajes a esta persona', en: 'too many messages to this person' },
  spam: { es: 'límite por mensajes no deseados', en: 'spam limit of our number' },
  held: { es: 'WhatsApp lo retuvo', en: 'WhatsApp held it back' },
  refused: { es: 'la persona bloqueó nuestros mensajes', en: 'the person blocked our messages' },
  media: { es: 'tipo de archivo no admitido', en: 'type of file not supported' },
  payment: { es: 'falta un método de pago', en: 'a payment method is missing' },
  number: { es: 'el número no está registrado', en: 'the number is not registered' },
  locked: { es: 'la cuenta está restringida', en: 'the account is restricted' },
  temporary: { es: 'falla pasajera', en: 'temporary failure' },
  limit: { es: 'demasiadas llamadas', en: 'too many calls' },
  token: { es: 'el token venció', en: 'the token has expired' },
  permission: { es: 'falta un permiso', en: 'a permission is missing' },
  request: { es: 'error nuestro', en: 'our error' },
  testNumber: { es: 'no está en la lista del número de prueba', en: 'not on the list of the test number' },
  hidden: { es: 'la persona oculta su número', en: 'the person hides their number' },
  templates: { es: 'la plantilla no está aprobada', en: 'the template is not approved' },
  other: { es: 'otro error', en: 'another error' },
} as const satisfies Readonly<Record<ErrorGroupName, Bilingual>>;
