import { expect, test } from 'vitest';
import { whenInTijuana } from '../../src/desk/figures/tijuana-time.ts';
import type { Lead } from '../../src/desk/lead/lead.ts';
import { measured, tally } from '../../src/desk/figures/tally.ts';
import { dayInTijuana, hourInTijuana } from '../../src/lead/tijuana.ts';
import { sampleLead } from './sample-lead.ts';

/** Returns a lead received on Sunday evening in Tijuana, which is Monday in UTC. */
const lead = (more: Partial<Lead>) => sampleLead('2026-11-23T05:00:00.000Z', more);

const WON = { status: 'ganada', accepted_state: 'reservada' } as const;
const FULL = { status: 'respondida', accepted_state: 'sinespacio' } as const;
const LOST = { status: 'perdida', lost_reason: 'precio', origen: 'llamada', tipo_carga: null } as const;
const LEADS = [
  lead({ ...WON, first_answer_at: '2026-11-23T07:00:00Z', seen_at: '2026-11-23T07:10:00Z', assignee_name: 'Ana' }),
  lead({ ...FULL, first_answer_at: '2026-11-23T07:00:01Z', assignee_name: 'Beto' }),
  lead({ ...LOST, created_at: '2026-11-23T09:00:00Z', assignee_name: 'Ana' }),
  // The next two leads are not counted: `entregada` marks a quote sent again after a loss, `replaced_by` a correction.
  lead({ entregada: '2026-11-20T09:00:00Z' }),
  lead({ replaced_by: 'another' }),
];

const figures = (group: Parameters<typeof tally>[1]) =>
  tally(LEADS, group).map(({ key, leads }) => [key, ...Object.values(leads).map(({ length }) => length)]);

test('each figure of the desk counts exactly the leads that its list shows', () => {
  // Columns: received, in time, seen, accepted, booked, lost.
  expect(figures('week')).toEqual([
    ['2026-11-16', 2, 1, 1, 2, 1, 0],
    ['2026-11-23', 1, 0, 0, 0, 0, 1],
  ]);
  expect(figures('agent')).toEqual([
    ['Ana', 2, 1, 1, 1, 1, 1],
    ['Beto', 1, 0, 0, 1, 0, 0],
  ]);
  expect(figures('cargo')).toEqual([
    ['', 1, 0, 0, 0, 0, 1],
    ['perecederos', 2, 1, 1, 2, 1, 0],
  ]);
  expect(figures('origin').map(([key]) => key)).toEqual(['formulario', 'llamada']);
  expect(figures('hour').map(([key, received]) => [key, received])).toEqual([
    ['01', 1],
    ['21', 2],
  ]);
  expect(figures('reason')).toEqual([['precio', 1, 0, 0, 0, 0, 1]]);
  for (const group of ['week', 'agent', 'cargo', 'origin', 'hour'] as const)
    expect(measured(tally(LEADS, group).flatMap(({ leads }) => leads.received)).received).toHaveLength(3);
});

test('day and hour of a quote follow Tijuana’s clock, also on days when the clock changes', () => {
  const TWENTY_MINUTES = 20 * 60_000;
  const ends = Date.parse('2027-01-02T00:00Z');
  for (let at = Date.parse('2026-01-01T00:07Z'); at < ends; at += TWENTY_MINUTES)
    expect(whenInTijuana(at)).toEqual({ day: dayInTijuana(at), hour: hourInTijuana(at) });
});
