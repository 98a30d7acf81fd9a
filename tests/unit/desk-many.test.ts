import { expect, test, vi } from 'vitest';
import type { Lead } from '../../src/desk/lead/lead.ts';
import { sampleLead } from './sample-lead.ts';

vi.stubGlobal('location', { origin: 'http://localhost' });
const { each: changeEach, refusalOf } = await import('../../src/desk/list/bulk-actions.ts');
vi.unstubAllGlobals();

const lead = (quote_id: string, about: Partial<Lead> = {}) =>
  sampleLead('2026-11-23T05:00:00.000Z', { quote_id, ...about });
const ana = { id: 'ana', name: 'Ana Ruiz', isSupervisor: false };
const note = { id: 'n', word: '' };

test('an action on several selected leads skips unsuitable leads, and gives the reason for each', () => {
  const leads = [
    lead('free'),
    lead('mine', { status: 'tomada', assignee: 'ana' }),
    lead('to book', { status: 'respondida', assignee: 'ana', accepted_state: 'aceptada' }),
    lead('theirs', { status: 'tomada', assignee: 'b', assignee_name: 'Beto' }),
    lead('closed', { status: 'ganada', assignee: 'ana' }),
  ];
  const refused = (action: Parameters<typeof refusalOf>[0], me = ana) =>
    Object.fromEntries(leads.map((each) => [each.quote_id, refusalOf(action, each, me)?.es.slice(0, 17)]));
  const [theirs, closed] = ['La atiende Beto.', 'Ya está cerrada.'];
  expect(refused({ kind: 'take' })).toEqual({ theirs, closed });
  expect(refused({ kind: 'hand', heir: 'c' })).toEqual({ free: 'Tómela primero.', theirs, closed });
  expect(refused({ kind: 'hand', heir: 'c' }, { ...ana, isSupervisor: true })).toEqual({ closed });
  expect(refused({ kind: 'lose', reason: 'precio', note })).toEqual({ 'to book': 'El cliente aceptó', theirs, closed });
});

test('an action on several leads changes four at a time, and lists failures in order', async () => {
  const says = { es: 'No.', en: 'No.' };
  const leads = Array.from({ length: 10 }, (_, at) => lead(String(at)));
  const atOnce = { now: 0, most: 0 };
  const failures = await changeEach(leads, async ({ quote_id }) => {
    atOnce.most = Math.max(atOnce.most, (atOnce.now += 1));
    await new Promise((resolve) => setTimeout(resolve, 10 - Number(quote_id)));
    atOnce.now -= 1;
    return Number(quote_id) % 3 === 0 ? { kind: 'refused', says } : { kind: 'done' };
  });
  expect(atOnce.most).toBe(4);
  expect(failures.map(({ lead: { quote_id } }) => quote_id)).toEqual(['0', '3', '6', '9']);
});
