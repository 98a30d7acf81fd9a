import { isIPv6 } from 'node:net';
import { Refusal } from './rest/refusal.ts';

/**
 * Kinds of requests, highest priority first: storing a quote or a reply, the sales team, reading by visitors, files.
 */
const KINDS = ['insert', 'staff', 'read', 'file'] as const;
export type Kind = (typeof KINDS)[number];

interface AdmissionLimits {
  readonly waiting: number;
  readonly atOnce?: number | undefined;
  readonly perAddress: { readonly [kind in Kind]?: number };
  readonly refuse?: () => Error;
}

/**
 * Queue of the requests that need the database. If the queue is full, a new request fails at once. `passOn` lets the
 * next request begin before `work` has ended.
 */
type Admission = InTurn & {
  readonly waiting: () => number;
};

type InTurn = <Result>(kind: Kind, address: string, work: (passOn: () => void) => Promise<Result>) => Promise<Result>;

export function createAdmission({ waiting, atOnce = 1, perAddress, refuse = tooBusy }: AdmissionLimits): Admission {
  const queues: { readonly [kind in Kind]: (() => void)[] } = { insert: [], staff: [], read: [], file: [] };
  const underWay = new Map<string, number>();
  let free = atOnce;

  const waitingNow = () => KINDS.reduce((sum, each) => sum + queues[each].length, 0);

  function begin(kind: Kind, address: string): void {
    const key = `${kind} ${address}`;
    const own = underWay.get(key) ?? 0;
    // Requests whose address is unknown get no limit per address, because they may come from many visitors.
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
      const passOn = () => {
        if (!isMine) return;
        isMine = false;
        const next = KINDS.map((each) => queues[each]).find((queue) => queue.length > 0);
        // The next request in the queue starts at once, so that a new request cannot overtake it.
        if (next) next.shift()!();
        else free += 1;
      };
      try {
        return await work(passOn);
      } finally {
        passOn();
      }
    } finally {
      end(kind, address);
    }
  };
  return Object.assign(inTurn, { waiting: waitingNow });
}

const HOUR = 3_600_000;
const MOST_ADDRESSES = 100_000;

interface Networks {
  readonly network: string;
  readonly wider?: string;
}

/**
 * Returns the networks by which requests of an address are counted. One person may use any address in an IPv6 /64, or
 * even in the /48 around it (`wider`).
 */
export function networksOf(address: string): Networks {
  const withoutZone = address.split('%')[0]!;
  if (!isIPv6(withoutZone)) return { network: address };
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return { network: groups.slice(0, 4).join(':'), wider: groups.slice(0, 3).join(':') };
}

/** Number of refusals allowed for a /48 network, as a multiple of the number for a /64 network. */
export const PER_WIDER_NETWORK = 4;

interface RefusalCounter {
  check(networks: Networks): void;
  count(networks: Networks): void;
}

export function createRefusalCounter(mostAnHour: number, now = Date.now): RefusalCounter {
  const levels = new Map<string, { level: number; at: number }>();
  /**
   * Number of recent refusals of a network. The number falls steadily (leaky bucket), so that a network that reached
   * the limit is not blocked for a whole hour.
   */
  const levelOf = (network: string, most: number) => {
    const { level, at } = levels.get(network) ?? { level: 0, at: now() };
    return Math.max(0, level - ((now() - at) * most) / HOUR);
  };
  const limited = ({ network, wider }: Networks): [network: string, most: number][] => {
    if (!network || mostAnHour === 0) return [];
    return [[network, mostAnHour], ...(wider ? [[wider, PER_WIDER_NETWORK * mostAnHour] as [string, number]] : [])];
  };
  return {
    check(networks) {
      if (limited(networks).every(([network, most]) => levelOf(network, most) < most)) return;
      throw new Refusal(429, 'PT429', 'Too many refused requests', { headers: { 'retry-after': '60' } });
    },
    count(networks) {
      for (const [network, most] of limited(networks)) {
        const level = levelOf(network, most);
        // Requests that are refused because of this limit are not counted: otherwise a network that keeps sending would
        // stay blocked for ever.
        if (level >= most) return;
        levels.delete(network);
        levels.set(network, { level: level + 1, at: now() });
        if (levels.size > MOST_ADDRESSES) levels.delete(levels.keys().next().value!);
      }
    },
  };
}

/**
 * Milliseconds to wait before answering that the server is overloaded, because clients may send the request again at
 * once.
 */
export const REFUSAL_DELAY = 1000;

export const TOO_BUSY = 'PT503';

export function tooBusy(): Refusal {
  return new Refusal(503, TOO_BUSY, 'The server is overloaded', { headers: { 'retry-after': '5' } });
}
