import { isIPv6 } from 'node:net';
import { Refusal } from './rest/refusal.ts';

/** Kinds of requests in the order in which they are served: quotes and replies, the sales side, looks, files. */
const KINDS = ['insert', 'staff', 'read', 'file'] as const;
export type Kind = (typeof KINDS)[number];

interface Bounds {
  readonly waiting: number;
  /** How many have their turn beside each other; one where it is not said. */
  readonly atOnce?: number | undefined;
  /** Under way from one address; staff are not bounded so. */
  readonly perAddress: { readonly [kind in Kind]?: number };
  /** What is thrown where too many are under way or wait. */
  readonly refuse?: () => Error;
}

/**
 * Does the work when its turn has come; throws at once where too many wait already. The work may hand the
 * turn on before its end, when it needs the database no longer.
 */
type Turns = InTurn & {
  /** How many wait at this moment. */
  readonly waiting: () => number;
};

type InTurn = <Result>(kind: Kind, address: string, work: (handOn: () => void) => Promise<Result>) => Promise<Result>;

/** The database does so many things at a time: who waits for it, and in which order. */
export function createAdmission({ waiting, atOnce = 1, perAddress, refuse = tooBusy }: Bounds): Turns {
  const queues: { readonly [kind in Kind]: (() => void)[] } = { insert: [], staff: [], read: [], file: [] };
  const underWay = new Map<string, number>();
  let free = atOnce;

  const waitingNow = () => KINDS.reduce((sum, each) => sum + queues[each].length, 0);

  function begin(kind: Kind, address: string): void {
    const key = `${kind} ${address}`;
    const own = underWay.get(key) ?? 0;
    // An address that nobody knows is everybody's.
    if (address && own >= (perAddress[kind] ?? Infinity)) throw refuse();
    if (waitingNow() >= waiting) throw refuse();
    underWay.set(key, own + 1);
  }

  function end(kind: Kind, address: string): void {
    const key = `${kind} ${address}`;
    const left = underWay.get(key)! - 1;
    if (left > 0) underWay.set(key, left);
    else underWay.delete(key);
  }

  const inTurn: InTurn = async (kind, address, work) => {
    begin(kind, address);
    try {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => queues[kind].push(resolve));
      let isMine = true;
      const handOn = () => {
        if (!isMine) return;
        isMine = false;
        const next = KINDS.map((each) => queues[each]).find((queue) => queue.length > 0);
        // Handed on without a gap, or somebody who just came would go first.
        if (next) next.shift()!();
        else free += 1;
      };
      try {
        return await work(handOn);
      } finally {
        handOn();
      }
    } finally {
      end(kind, address);
    }
  };
  return Object.assign(inTurn, { waiting: waitingNow });
}

const HOUR = 3_600_000;
/** More addresses than these have not been refused within an hour, or somebody has very many. */
const MOST_ADDRESSES = 100_000;

interface Places {
  /** Empty where it is not known. */
  readonly place: string;
  readonly wider?: string;
}

/** The /64 and the /48 of an IPv6 address: a visitor has the first, and may have the second. */
export function networksOf(address: string): Places {
  const withoutZone = address.split('%')[0]!;
  if (!isIPv6(withoutZone)) return { place: address };
  // The spelling of a URL: no leading zeros, no IPv4 at its end.
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return { place: groups.slice(0, 4).join(':'), wider: groups.slice(0, 3).join(':') };
}

/** Times the bound of a /64 that all of one /48 have together. */
export const PER_WIDER_NETWORK = 4;

interface Refusals {
  /** Throws a Refusal when these places were refused too often. */
  check(places: Places): void;
  count(places: Places): void;
}

/** A refused request costs its sender nothing, so that one who sends nothing else has to stop for a while. */
export function createRefusals(mostAnHour: number, now = Date.now): Refusals {
  const levels = new Map<string, { level: number; at: number }>();
  /** The count that is left, leaking evenly: nobody has to wait a whole hour. */
  const levelOf = (place: string, most: number) => {
    const { level, at } = levels.get(place) ?? { level: 0, at: now() };
    return Math.max(0, level - ((now() - at) * most) / HOUR);
  };
  const bounded = ({ place, wider }: Places): [place: string, most: number][] => {
    if (!place || mostAnHour === 0) return [];
    return [[place, mostAnHour], ...(wider ? [[wider, PER_WIDER_NETWORK * mostAnHour] as [string, number]] : [])];
  };
  return {
    check(places) {
      if (bounded(places).every(([place, most]) => levelOf(place, most) < most)) return;
      throw new Refusal(429, 'PT429', 'Too many refused requests', { headers: { 'retry-after': '60' } });
    },
    count(places) {
      for (const [place, most] of bounded(places)) {
        const level = levelOf(place, most);
        // Refusals for this alone do not keep the place shut for others behind it.
        if (level >= most) return;
        levels.delete(place);
        levels.set(place, { level: level + 1, at: now() });
        if (levels.size > MOST_ADDRESSES) levels.delete(levels.keys().next().value!);
      }
    },
  };
}

/** Milliseconds: a client that asks again at once would keep the server busy with turning it away. */
export const BEFORE_TURNING_AWAY = 1000;

export const TOO_BUSY = 'PT503';

export function tooBusy(): Refusal {
  return new Refusal(503, TOO_BUSY, 'The server has more to do than it can', { headers: { 'retry-after': '5' } });
}
