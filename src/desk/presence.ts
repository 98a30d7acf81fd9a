import type { Bilingual } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { readReachRow, type ReachRow } from '../lead/rows.ts';
import { createStore } from '../ui/create-store.ts';
import { backend, rows, sendOnLeaving } from './backend.ts';

const EVERY = 60_000;

/** Who of the sales team can be told, and how; undefined where nobody has said. */
export const reach = createStore<readonly ReachRow[] | undefined>(undefined);

/** Says that somebody sits here, for as long as the desk is open, and asks who else can be told. */
export function stayHere(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let stopped = false;
  async function say(): Promise<void> {
    // Without a network, or at a database that does not ask who is here, nothing is known.
    await rows(backend.from('staff_signs').insert({ kind: 'estoy' }))
      .then(() => (stopped ? undefined : askWhoIsHere()))
      .catch(() => undefined);
    if (!stopped) timer = setTimeout(() => void say(), EVERY);
  }
  void say();
  return () => {
    stopped = true;
    clearTimeout(timer);
    reach.set(undefined);
  };
}

export async function askWhoIsHere(): Promise<void> {
  reach.set(await rows(backend.from('desk_reach').select('*').order('name'), readReachRow));
}

/** Open leads go to a colleague first; what else is open goes back to all with the last word of this session. */
export const handAll = (heir: string): Promise<unknown> =>
  rows(backend.from('staff_signs').insert({ kind: 'mevoy', heir }));

export const sayGone = (token: string): Promise<unknown> => sendOnLeaving('staff_signs', { kind: 'mevoy' }, token);

/** By a device: a desk that is open rings as long as it is looked after, and no longer. */
export const isNobodyReached = (team: readonly ReachRow[]): boolean =>
  !team.some(({ here, devices }) => here && devices > 0);

/** 'Ana Ruiz por la mesa y 2 equipos, Beto Díaz por nada' */
export function reachInWords(team: readonly ReachRow[]): Bilingual {
  const { by, nobody, told } = desk.reach;
  const present = team.filter(({ here }) => here);
  const list = (language: 'es' | 'en') =>
    present
      .map(({ name, at_desk, devices }) => {
        const ways = [at_desk && by.desk[language], devices > 0 && by.devices(devices)[language]].filter(Boolean);
        return `${name} ${ways.join(by.and[language]) || by.nothing[language]}`;
      })
      .join(', ');
  return present.length === 0 ? nobody : told(list('es'), list('en'));
}
