import { isDay } from '../../src/lead/bounds.ts';
import { readFolio } from '../../src/lead/folio.ts';
import { csv, json, table, type Format } from './lead-formats.ts';
import type { LeadFilter } from './leads.ts';
import { FLAG, parseOptions, TEXT, UsageError } from './command.ts';

export interface Listing extends LeadFilter {
  readonly format: Format;
  readonly follow: boolean;
  readonly paste: boolean;
}

/** Reads which quotes to print, and in which format. Returns undefined for --help. */
export function readListing(args: string[]): Listing | undefined {
  const options = { json: FLAG, csv: FLAG, follow: FLAG, paste: FLAG, help: FLAG, since: TEXT } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  if (values.help) return undefined;
  if (values.json && values.csv)
    throw new UsageError({ es: 'Elija --json o --csv.', en: 'Choose one of --json and --csv.' });
  const typed = positionals.join(' ');
  const folio = readFolio(typed);
  if (typed && !folio)
    throw new UsageError({
      es: `"${typed}" no es un folio: le falta una letra, o hay una equivocada o cambiada de lugar.`,
      en: `"${typed}" is not a folio: a character is missing, wrong or swapped.`,
    });
  const since = values.since === undefined ? undefined : readSince(values.since);
  return {
    folio,
    since,
    follow: values.follow,
    paste: values.paste,
    format: values.json ? json : values.csv ? csv : table,
  };
}

function readSince(text: string): Date {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (amount && unit)
    return new Date(Date.now() - Number(amount) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd']);
  // A date without a time means midnight in local time here, but `new Date` reads such a date as UTC.
  const date = isDay(text) ? new Date(`${text}T00:00`) : new Date(/^\d{4}-\d\d-\d\dT/.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw new UsageError({
      es: `--since acepta 30m, 2h, 3d o un día como 2026-11-21, no "${text}".`,
      en: `--since takes 30m, 2h, 3d or a date such as 2026-11-21, not "${text}".`,
    });
  return date;
}
