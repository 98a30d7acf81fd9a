import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { handlingOf } from '../build/privacy-notice.ts';
import { privacy, type Handling } from '../src/content/legal.ts';
import { SAMPLE } from './alerts/settings.ts';
import { writeAtomically } from './database/durable-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const NOTICE = '/privacidad.html';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' } as const;
/** A text as the build writes it into a document. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter as keyof typeof ESCAPES]);

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'America/Tijuana' } as const;

/**
 * The privacy notice with the settings that hold, whatever the build had; undefined if the document has no notice of
 * ours. `since`: the day from which it reads so, if that is not the day of its text.
 */
export function fillNotice(html: string, environment: Environment, since?: Date): string | undefined {
  const [, written] = /data-handling="([^"]*)"/.exec(html) ?? [];
  if (!written) return undefined;
  const built = Object.entries(ESCAPES).reduce((text, [letter, code]) => text.replaceAll(code, letter), written);
  const now = handlingOf(environment);
  const email = environment['VITE_COMPANY_EMAIL'] || SAMPLE;
  const textsOf = (handling: Handling) =>
    privacy({ name: '', legalName: '', phone: '', address: '', email }, handling).clauses.map(({ text }) => text ?? '');
  const after = textsOf(now);
  let filled = html.replace(written, () => escaped(JSON.stringify(now)));
  for (const [at, before] of textsOf(JSON.parse(built) as Handling).entries()) {
    if (before === after[at]) continue;
    if (!filled.includes(escaped(before))) return undefined;
    filled = filled.replace(escaped(before), () => escaped(after[at]!));
  }
  const day = since?.toLocaleDateString('es-MX', DAY);
  return day ? filled.replace(/(?<=Última actualización: )[^<·]+(?= ·)/, day) : filled;
}

interface Noted {
  readonly from: string;
  readonly handling: Handling;
}

/**
 * Notes the settings of the notice beside the data if they have changed: with the version and the day of a quote, they
 * say what its sender could read. Returns the day of the last change, undefined for the settings of the first start.
 */
export function noteHandling(dataDir: string, environment: Environment, now = new Date()): Date | undefined {
  const file = path.join(dataDir, 'notices');
  const noted = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const all = noted.map((line) => JSON.parse(line) as Noted);
  const handling = handlingOf(environment);
  if (!isDeepStrictEqual(all.at(-1)?.handling, handling)) {
    all.push({ from: now.toISOString(), handling });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeAtomically(file, all.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  return all.length > 1 ? new Date(all.at(-1)!.from) : undefined;
}
