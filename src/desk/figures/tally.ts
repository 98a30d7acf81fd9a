import { whenInTijuana } from './tijuana-time.ts';
import { counts, isInTime, type Lead } from '../lead/lead.ts';

const DAY = 86_400_000;

/** Columns of the figures table. Each column counts leads, for example 'inTime' those that were answered in time. */
export const MEASURES = ['received', 'inTime', 'seen', 'accepted', 'booked', 'lost'] as const;
export type Measure = (typeof MEASURES)[number];

const FITS: Readonly<Record<Measure, (lead: Lead) => boolean>> = {
  received: () => true,
  inTime: isInTime,
  seen: ({ seen_at }) => seen_at !== null,
  accepted: ({ accepted_state }) => ['aceptada', 'reservada', 'sinespacio'].includes(accepted_state ?? ''),
  booked: ({ accepted_state }) => accepted_state === 'reservada',
  lost: ({ status }) => status === 'perdida',
};

export const GROUPS = ['week', 'agent', 'cargo', 'origin', 'hour', 'reason'] as const;
export type Group = (typeof GROUPS)[number];

const KEYS: Readonly<Record<Group, (lead: Lead) => string>> = {
  week: ({ created_at }) => mondayOf(Date.parse(created_at)),
  agent: ({ assignee_name }) => assignee_name ?? '',
  cargo: ({ tipo_carga }) => tipo_carga ?? '',
  origin: ({ origen }) => origen,
  hour: ({ created_at }) => String(whenInTijuana(Date.parse(created_at)).hour).padStart(2, '0'),
  reason: ({ lost_reason }) => lost_reason ?? '',
};

export interface Row {
  /** Value that the leads of this row share, for example their week or their cargo; empty if unknown. */
  readonly key: string;
  readonly leads: Readonly<Record<Measure, readonly Lead[]>>;
}

/** Groups leads into the rows of the ledger, sorted by their key. The group 'reason' contains only lost leads. */
export function tally(leads: readonly Lead[], group: Group): readonly Row[] {
  // A corrected or joined lead is left out, because its replacement is counted.
  const all = leads.filter((lead) => counts(lead) && !lead.replaced_by && (group !== 'reason' || FITS.lost(lead)));
  const byKey = new Map<string, Lead[]>();
  for (const lead of all) {
    const key = KEYS[group](lead);
    const found = byKey.get(key);
    if (found) found.push(lead);
    else byKey.set(key, [lead]);
  }
  return [...byKey.keys()].toSorted().map((key) => ({ key, leads: measured(byKey.get(key)!) }));
}

export const measured = (leads: readonly Lead[]): Row['leads'] =>
  Object.fromEntries(MEASURES.map((measure) => [measure, leads.filter(FITS[measure])])) as Record<Measure, Lead[]>;

/** Returns the date of the week's Monday, as 2026-11-23. */
function mondayOf(at: number): string {
  const noon = Date.parse(`${whenInTijuana(at).day}T12:00Z`);
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7;
  return new Date(noon - sinceMonday * DAY).toISOString().slice(0, 10);
}
