import { chanceFrom } from '../chance.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

/** What happens to a phone, by its person or by the world. */
export type Deed =
  | 'open'
  | 'send'
  | 'send again'
  | 'send odd'
  | 'send and go'
  | 'send twice'
  | 'send and change'
  | 'correct'
  | 'look'
  | 'accept'
  | 'ask'
  | 'details'
  | 'remove'
  | 'close'
  | 'hide'
  | 'show'
  | 'freeze'
  | 'thaw'
  | 'kill'
  | 'battery'
  | 'fill disk'
  | 'free disk'
  | 'clock'
  | 'line'
  | 'come home'
  | 'wake worker';

/** What happens to the server, and what its team does. */
export type Turn = 'kill' | 'power' | 'start' | 'busy' | 'lock out' | 'fine' | 'back up' | 'restore' | 'desk' | 'erase';

interface Moment {
  /** After the beginning. */
  readonly at: number;
  /** For what is left to chance in it: so it stays what it is when others are taken away. */
  readonly seed: number;
}

/** Of a phone, or of the server. */
export type Planned = Moment &
  ({ readonly phone: number; readonly deed: Deed } | { readonly phone?: undefined; readonly deed: Turn });

export interface Plan {
  readonly seed: number;
  readonly phones: readonly number[];
  readonly events: readonly Planned[];
  readonly length: number;
}

const LENGTH = 7 * DAY;

/** A week of a few phones, all of it from one number. */
export function planOf(seed: number): Plan {
  const chance = chanceFrom(seed);
  const many = 3 + Math.floor(chance() * 3);
  const phones = Array.from({ length: many }, (_, phone) => phone);
  const events = phones.flatMap((phone) => ofPhone(phone, chanceFrom(Math.floor(chance() * 2 ** 32))));
  events.push(...ofServer(chanceFrom(Math.floor(chance() * 2 ** 32))));
  // From the end on nothing goes wrong any more, and whoever was killed then would have nobody to open the page again.
  const inTime = events.filter(({ at }) => at < LENGTH);
  return { seed, phones, events: inTime.toSorted((a, b) => a.at - b.at), length: LENGTH };
}

function ofPhone(phone: number, chance: () => number): Planned[] {
  const events: Planned[] = [];
  const add = (at: number, deed: Deed) => events.push({ at, phone, deed, seed: Math.floor(chance() * 2 ** 32) });
  const drawn = (weights: Partial<Record<Deed, number>>): Deed => {
    let roll = chance() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [deed, weight] of Object.entries(weights)) if ((roll -= weight) < 0) return deed as Deed;
    return 'open';
  };
  for (let at = chance() * DAY; at < LENGTH; at += (0.3 + chance() * 1.4) * DAY) {
    let now = at;
    if (chance() < 0.6) add(now, 'line');
    if (chance() < 0.1) add(now, 'clock');
    add((now += 1), 'open');
    const many = 1 + Math.floor(chance() * 4);
    for (let each = 0; each < many; each += 1) {
      // Most of what matters happens within seconds of something else.
      now += chance() < 0.6 ? chance() * 3 * SECOND : chance() * MINUTE;
      const deed = drawn({
        send: 5,
        'send again': 0.5,
        'send odd': 0.4,
        'send and go': 2,
        'send twice': 0.6,
        'send and change': 2,
        correct: 3,
        look: 4,
        accept: 4,
        ask: 2,
        details: 1,
        remove: 0.5,
        open: 3,
        line: 5,
        hide: 1,
        show: 1,
        freeze: 1,
        thaw: 1,
        'fill disk': 0.4,
        'wake worker': 0.5,
      });
      add(now, deed);
      if (deed === 'fill disk') add(now + chance() * 10 * MINUTE, 'free disk');
      if (deed === 'freeze') add(now + chance() * 2 * MINUTE, 'thaw');
    }
    now += chance() < 0.7 ? chance() * 2 * SECOND : chance() * 5 * MINUTE;
    const end = drawn({ close: 10, hide: 1, kill: 3, battery: 3 });
    add(now, end);
    if (end !== 'close') add((now += chance() * 2 * MINUTE), 'close');
    // Hardly anybody is without signal for days; who is, has the next visit to be so in.
    add(now + chance() * (chance() < 0.7 ? 5 * MINUTE : 3 * HOUR), 'come home');
  }
  return events;
}

function ofServer(chance: () => number): Planned[] {
  const events: Planned[] = [];
  const add = (at: number, deed: Turn) => events.push({ at, deed, seed: Math.floor(chance() * 2 ** 32) });
  const some = (every: number, deed: (at: number) => void) => {
    for (let at = chance() * every * 2; at < LENGTH; at += chance() * every * 2) deed(at);
  };
  some(20 * HOUR, (at) => {
    add(at, chance() < 0.5 ? 'kill' : 'power');
    add(at + chance() * (chance() < 0.8 ? MINUTE : 2 * HOUR), 'start');
  });
  some(30 * HOUR, (at) => {
    add(at, chance() < 0.6 ? 'busy' : 'lock out');
    add(at + chance() * HOUR, 'fine');
  });
  some(40 * HOUR, (at) => add(at, 'back up'));
  if (chance() < 0.7)
    some(60 * HOUR, (at) => {
      add(at, 'restore');
      add(at + chance() * 10 * MINUTE, 'start');
    });
  some(50 * MINUTE, (at) => add(at, 'desk'));
  some(80 * HOUR, (at) => add(at, 'erase'));
  return events;
}
