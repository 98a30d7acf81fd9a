import type { Bilingual } from './bilingual.ts';

/** Texts about failures. The specification fixes the Spanish wording of those about a quote (docs/product.md). */

/** Texts for the error codes of the database. */
export const helperFailures = {
  known: 'Ya existe una cotización con este email',
  permission: 'Error de permisos. Por favor contacta al administrador.',
  constraint: 'Los datos proporcionados no son válidos',
  database: (message: string) => `Error de base de datos: ${message}`,
  unknown: 'Error desconocido al enviar cotización',
} as const;

export const formFailures = {
  connection: {
    es: 'Error de conexion. Verifica tu internet e intenta nuevamente.',
    en: 'Connection error. Check your internet and try again.',
  },
  known: {
    es: 'Ya existe una cotizacion con este email. Te contactaremos pronto.',
    en: 'There is already a quote with this e-mail. We will contact you soon.',
  },
  temporary: {
    es: 'Error temporal del sistema. Intenta nuevamente en unos minutos.',
    en: 'Temporary system error. Try again in a few minutes.',
  },
  invalid: {
    es: 'Datos invalidos. Verifica la informacion e intenta nuevamente.',
    en: 'Invalid data. Check the information and try again.',
  },
  other: {
    es: 'Error al enviar la cotizacion. Por favor intenta nuevamente.',
    en: 'The quote could not be sent. Please try again.',
  },
} as const satisfies Record<string, Bilingual>;

export const success: Bilingual = {
  es: 'Su informacion ha sido enviada exitosamente! Te contactaremos brevemente.',
  en: 'Your information was sent. We will contact you shortly.',
};

/** Texts about failed voice calls. The specification fixes their English wording (docs/product.md). */
export const voiceFailures = {
  unavailable: { es: 'El asistente de voz no está disponible.', en: 'Voice assistant not available.' },
  'not-started': { es: 'No se pudo iniciar la llamada.', en: 'Failed to start call.' },
  ejected: { es: 'Se cortó la llamada.', en: 'Removed from the call' },
  'not-initialized': { es: 'No se pudo preparar el asistente de voz.', en: 'Failed to initialize voice assistant' },
} as const satisfies Record<string, Bilingual>;

export const brokenCall = (message = 'Connection failed'): Bilingual => ({
  es: 'La llamada falló.',
  en: `Error: ${message}`,
});

export const noMicrophone = (message = 'Connection failed'): Bilingual => ({
  es: 'No se pudo usar el micrófono.',
  en: `Error: ${message}`,
});
