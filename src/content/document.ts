import { claims } from './claims.ts';
import { hubs } from './points.ts';
import { mainWords } from './bilingual.ts';
import { hero } from './hero.ts';
import type { Company } from './legal.ts';

/** Title and description of each document, used by search engines, messengers and browser tabs. */
export const documents = {
  landing: {
    title: `Carga aérea México–China en ${mainWords(claims.transit)}`,
    description: `Carga aérea directa de Tijuana a Zhengzhou en ${mainWords(claims.transit)}, puerta a puerta a ${hubs} ciudades de China, tarifa todo incluido. Cotización en ${claims.response}.`,
  },
  privacy: {
    title: 'Aviso de privacidad',
    description: 'Qué datos personales tratamos, para qué, y cómo ejercer sus derechos ARCO.',
  },
  terms: {
    title: 'Términos de uso',
    description: 'Condiciones del sitio, de las cotizaciones y de la carga que se acepta.',
  },
  notFound: { title: 'Página no encontrada', description: 'La dirección no existe en este sitio.' },
} as const;

export const social = {
  locale: 'es_MX',
  image: { path: '/og.png', width: 1200, height: 630, alt: mainWords(hero.headline) },
} as const;

/**
 * Returns data about the company for search engines (schema.org); only facts that the page shows. `siteUrl` has no
 * slash at the end.
 */
export function structuredData(company: Company, siteUrl: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: company.name,
    legalName: company.legalName,
    url: `${siteUrl}/`,
    email: company.email,
    telephone: company.phone,
    address: company.address,
  };
}
