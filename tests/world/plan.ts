import { chanceFrom } from '../chance.ts';
import type { Person } from './person.ts';
import type { Server } from './server.ts';
import type { Part } from './shrink.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

type Method<Of> = { [Name in keyof Of]: Of[Name] extends (chance: () => number) => void ? Name : never }[keyof Of];

/** Event of a person or of the server. `deed` is the name of the method that carries out the event. */
type Planned = {
  /** Milliseconds since the start of the simulation. */
  readonly at: number;
  /** Seed of the event’s own random choices, so that they do not change when other events are removed. */
  readonly seed: number;
} & (
  | { readonly phone: number; readonly deed: Method<Person> }
  | { readonly phone?: undefined; readonly deed: Method<Server> }
);

export interface Plan {
  readonly seed: number;
  readonly phones: readonly number[];
  readonly events: readonly Planned[];
}

export const LENGTH = 7 * DAY;

/** Relative frequencies of the actions during a visit. `AT_END` has the actions with which a visit ends. */
const DURING = {
  send: 5,
  sendAndGo: 2,
  sendTwice: 0.6,
  sendAndChange: 2,
  correct: 3,
  accept: 4,
  ask: 2,
  openAnother: 3,
  changeLine: 5,
  freeze: 1,
  thaw: 1,
};
const AT_END = { closeAll: 10, kill: 3, cutBattery: 3 };

/** Plans the events of a few phones for a week, at random from the seed. */
export function planOf(seed: number): Plan {
  const chance = chanceFrom(seed);
  const phones = Array.from({ length: 3 + Math.floor(chance() * 3) }, (_, phone) => phone);
  const events = phones.flatMap((phone) => ofPhone(phone, chanceFrom(Math.floor(chance() * 2 ** 32))));
  events.push(...ofServer(chanceFrom(Math.floor(chance() * 2 ** 32))));
  // Events after the end of the week are left out, because nothing would reopen a page that such an event killed.
  const inTime = events.filter(({ at }) => at < LENGTH);
  return { seed, phones, events: inTime.toSorted((a, b) => a.at - b.at) };
}

/** Limits a plan to some phones and events, which happen at the same times as in the whole plan. */
export function partOf(plan: Plan, { phones, events }: { [Name in keyof Part]?: Part[Name] | undefined }): Plan {
  const isIn = (phone: number) => !phones || phones.includes(phone);
  return {
    ...plan,
    phones: plan.phones.filter(isIn),
    events: plan.events.filter(
      ({ phone }, at) => (!events || events.includes(at)) && (phone === undefined || isIn(phone)),
    ),
  };
}

function ofPhone(phone: number, chance: () => number): Planned[] {
  const events: Planned[] = [];
  const add = (at: number, deed: Method<Person>) =>
    events.push({ at, phone, deed, seed: Math.floor(chance() * 2 ** 32) });
  const drawn = <Deed extends string>(weights: Readonly<Record<Deed, number>>): Deed => {
    const deeds = Object.entries<number>(weights) as [Deed, number][];
    let roll = chance() * deeds.reduce((sum, [, weight]) => sum + weight, 0);
    return deeds.find(([, weight]) => (roll -= weight) < 0)![0];
  };
  for (let at = chance() * DAY; at < LENGTH; at += (0.3 + chance() * 1.4) * DAY) {
    let now = at;
    if (chance() < 0.6) add(now, 'changeLine');
    add((now += 1), 'openAnother');
    for (let left = 1 + Math.floor(chance() * 4); left > 0; left -= 1) {
      // Most events follow each other within seconds, because this reveals most faults.
      now += chance() < 0.6 ? chance() * 3 * SECOND : chance() * MINUTE;
      const deed = drawn(DURING);
      add(now, deed);
      if (deed === 'freeze') add(now + chance() * 2 * MINUTE, 'thaw');
    }
    now += chance() < 0.7 ? chance() * 2 * SECOND : chance() * 5 * MINUTE;
    const end = drawn(AT_END);
    add(now, end);
    if (end !== 'closeAll') add((now += chance() * 2 * MINUTE), 'closeAll');
    // The signal returns within hours, because few phones have no signal for days.
    add(now + chance() * (chance() < 0.7 ? 5 * MINUTE : 3 * HOUR), 'comeHome');
  }
  return events;
}

function ofServer(chance: () => number): Planned[] {
  const events: Planned[] = [];
  const add = (at: number, deed: Method<Server>) => events.push({ at, deed, seed: Math.floor(chance() * 2 ** 32) });
  const repeat = (every: number, deed: (at: number) => void) => {
    for (let at = chance() * every * 2; at < LENGTH; at += chance() * every * 2) deed(at);
  };
  repeat(20 * HOUR, (at) => {
    add(at, chance() < 0.5 ? 'kill' : 'cutPower');
    add(at + chance() * (chance() < 0.8 ? MINUTE : 2 * HOUR), 'start');
  });
  repeat(40 * HOUR, (at) => add(at, 'backUp'));
  if (chance() < 0.7)
    repeat(60 * HOUR, (at) => {
      add(at, 'restore');
      add(at + chance() * 10 * MINUTE, 'start');
    });
  repeat(50 * MINUTE, (at) => add(at, 'giveAnswer'));
  return events;
}
