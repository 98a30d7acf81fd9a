import { createHash } from 'node:crypto';
import type { Environment } from './setting-names.ts';
import { privacy, type Handling } from '../src/content/legal.ts';

export function handlingOf(environment: Environment): Handling {
  const months = Number(environment['RETENTION_MONTHS']);
  return {
    place: environment['VITE_SUPABASE_URL'] ? 'supabase' : environment['DATABASE_URL'] ? 'postgresql' : 'own',
    where: environment['VITE_DATA_PLACE'] ?? '',
    mail: Boolean(environment['ALERT_MAIL']),
    customers: Boolean(environment['MAIL_FROM']),
    replies: Boolean(environment['IMAP_URL']),
    whatsApp: Boolean(environment['WHATSAPP_TOKEN']),
    voice: Boolean(environment['VITE_VAPI_PUBLIC_KEY']),
    tiles: Boolean(environment['VITE_TILE_URL']),
    retentionMonths: months > 0 ? months : 0,
  };
}

/** Returns the version of the notice: eight digits that change when any word of the notice changes. */
export function noticeVersion(environment: Environment, handling: Handling): string {
  const fact = (name: string) => environment[`VITE_COMPANY_${name}`] ?? '';
  const company = {
    name: fact('NAME'),
    legalName: fact('LEGAL_NAME'),
    phone: fact('PHONE'),
    email: fact('EMAIL'),
    address: fact('ADDRESS'),
  };
  const text = JSON.stringify(privacy(company, handling));
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
