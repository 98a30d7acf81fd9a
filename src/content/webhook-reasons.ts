import type { Bilingual } from './bilingual.ts';

/**
 * Reasons why a webhook was not sent or got no valid response. Reasons that are not listed here are network codes such
 * as ECONNREFUSED.
 */
export const webhookReasons = {
  https: { es: 'la dirección no es https', en: 'the address is not https' },
  private: { es: 'la dirección es de una red privada', en: 'the address is of a private network' },
  timeout: { es: 'no respondió en 10 segundos', en: 'no answer within 10 seconds' },
} as const satisfies Readonly<Record<string, Bilingual>>;
