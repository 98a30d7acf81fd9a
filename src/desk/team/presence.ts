import type { Bilingual } from '../../content/bilingual.ts';
import { deskTeam } from '../../content/desk-team.ts';
import type { ReachRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { readReach, reportHere } from '../api/team.ts';

const EVERY = 60_000;

/** Colleagues, each with presence and number of devices that get alerts; undefined until they are read. */
export const reach = createStore<readonly ReachRow[] | undefined>(undefined);

/** Reports every minute that this person is present, and reads which colleagues are. */
export function reportPresence(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let stopped = false;
  async function say(): Promise<void> {
    // Without a network, the list that was read before stays.
    await reportHere()
      .then(() => (stopped ? undefined : refreshPresence()))
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

export async function refreshPresence(): Promise<void> {
  reach.set(await readReach());
}

/** True if no present colleague has a device that gets alerts. A new lead is then noticed only at an open desk. */
export const isNobodyReached = (team: readonly ReachRow[]): boolean =>
  !team.some(({ here, devices }) => here && devices > 0);

/**
 * Says which colleagues are present: 'En línea: Ana Ruiz en la mesa y con avisos en 2 dispositivos, Beto Díaz sin
 * avisos'.
 */
export function reachInWords(team: readonly ReachRow[]): Bilingual {
  const { by, nobody, online } = deskTeam.reach;
  const present = team.filter(({ here }) => here);
  const list = (language: 'es' | 'en') =>
    present
      .map(({ name, at_desk, devices }) => {
        const ways = [at_desk && by.desk[language], devices > 0 && by.devices(devices)[language]].filter(Boolean);
        return `${name} ${ways.join(by.and[language]) || by.nothing[language]}`;
      })
      .join(', ');
  return present.length === 0 ? nobody : online(list('es'), list('en'));
}
