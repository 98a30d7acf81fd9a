import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { handlingOf } from '../build/privacy-notice.ts';
import type { Environment } from '../build/setting-names.ts';
import { privacy, type Handling } from '../src/content/legal.ts';
import { SAMPLE } from './alerts/settings.ts';
import { ENTITIES, escapeHtml } from './escape-html.ts';
import { writeAtomically } from './database/durable-files.ts';

export const NOTICE = '/privacidad.html';

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'America/Tijuana' } as const;

/**
 * Fills the current settings into the built privacy notice. Returns undefined for a document of another release.
 * `since`: day of the last change of settings, if it is later than the text's date.
 */
export function fillNotice(html: string, environment: Environment, since?: Date): string | undefined {
  const [, attribute] = /data-handling="([^"]*)"/.exec(html) ?? [];
  if (!attribute) return undefined;
  const built = Object.entries(ENTITIES).reduce((text, [letter, code]) => text.replaceAll(code, letter), attribute);
  const now = handlingOf(environment);
  const email = environment['VITE_COMPANY_EMAIL'] || SAMPLE;
  const textsOf = (handling: Handling) =>
    privacy({ name: '', legalName: '', phone: '', address: '', email }, handling).clauses.map(({ text }) => text ?? '');
  const newTexts = textsOf(now);
  let filled = html.replace(attribute, () => escapeHtml(JSON.stringify(now)));
  for (const [at, text] of textsOf(JSON.parse(built) as Handling).entries()) {
    if (text === newTexts[at]) continue;
    if (!filled.includes(escapeHtml(text))) return undefined;
    filled = filled.replace(escapeHtml(text), () => escapeHtml(newTexts[at]!));
  }
  const day = since?.toLocaleDateString('es-MX', DAY);
  return day ? filled.replace(/(?<=Última actualización: )[^<·]+(?= ·)/, day) : filled;
}

interface NoticeEntry {
  readonly from: string;
  readonly handling: Handling;
}

/**
 * Records changed settings of the privacy notice beside the data, as evidence of what the notice said on a given day.
 * Returns the day of the last change, or undefined if there was none since the first start.
 */
export function noteHandling(dataDir: string, environment: Environment, now = new Date()): Date | undefined {
  const file = path.join(dataDir, 'notices');
  const noted = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const all = noted.map((line) => JSON.parse(line) as NoticeEntry);
  const handling = handlingOf(environment);
  if (!isDeepStrictEqual(all.at(-1)?.handling, handling)) {
    all.push({ from: now.toISOString(), handling });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeAtomically(file, all.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  return all.length > 1 ? new Date(all.at(-1)!.from) : undefined;
}
