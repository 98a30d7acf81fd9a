import { createAdmission, PER_WIDER_NETWORK, networksOf } from '../admission.ts';
import type { Limits } from '../limits.ts';
import { tooManyTries } from './refusal.ts';

const MINUTE = 60_000;
const QUARTER_OF_AN_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;
/** Somebody mistypes that often, and asks for a new password then. */
const PER_ACCOUNT_AND_PLACE = 5;
/** More keys than these are not remembered: the oldest goes. */
const MOST_KEYS = 10_000;

interface Throttle {
  /** Counts a try before it is known how it ends; throws a refusal where there were too many. */
  begin(name: string, address: string): { takeBack(): void };
  /** From this address this account was opened: strangers elsewhere cannot close it here. */
  rememberSignIn(name: string, address: string): void;
}

/**
 * Limits wrong passwords for each e-mail, with an account or without, and for each address. The limit for an e-mail
 * does not hold for addresses that have signed in with it: strangers cannot lock its owner out.
 */
export function createThrottle(limits: Limits, now = Date.now): Throttle {
  const { LIMIT_WRONG_PASSWORDS_PER_ADDRESS: perAddress, LIMIT_WRONG_PASSWORDS_PER_ACCOUNT: perAccount } = limits;
  const ofPlace = createTries({ times: perAddress, within: QUARTER_OF_AN_HOUR }, now);
  const ofWiderPlace = createTries({ times: PER_WIDER_NETWORK * perAddress, within: QUARTER_OF_AN_HOUR }, now);
  const ofBoth = createTries({ times: PER_ACCOUNT_AND_PLACE, within: QUARTER_OF_AN_HOUR }, now);
  const ofAccount = createTries({ times: perAccount, within: HOUR }, now);
  const welcomed = new Map<string, true>();

  return {
    begin(name, address) {
      const { place, wider } = networksOf(address);
      const both = `${place} ${name}`;
      const counted: [tries: Tries, key: string][] = [];
      // A place that nobody knows is everybody's, and must not be closed for everybody.
      if (place) counted.push([ofPlace, place], [ofBoth, both]);
      if (wider) counted.push([ofWiderPlace, wider]);
      if (!welcomed.has(both)) counted.push([ofAccount, name]);
      const seconds = Math.max(...counted.map(([tries, key]) => tries.secondsUntilNext(key)));
      if (seconds > 0) throw tooManyTries(seconds);
      for (const [tries, key] of counted) tries.count(key);
      return {
        takeBack() {
          for (const [tries, key] of counted) tries.takeBack(key);
        },
      };
    },
    rememberSignIn(name, address) {
      const { place } = networksOf(address);
      if (place) remember(welcomed, `${place} ${name}`, true);
    },
  };
}

interface Tries {
  /** 0 is now. */
  secondsUntilNext(key: string): number;
  count(key: string): void;
  takeBack(key: string): void;
}

/** So many within a sliding window. */
function createTries({ times, within }: { times: number; within: number }, now: () => number): Tries {
  const counted = new Map<string, readonly number[]>();
  const recent = (key: string) => (counted.get(key) ?? []).filter((at) => at > now() - within);
  return {
    secondsUntilNext(key) {
      const oldest = recent(key).at(-times);
      return oldest === undefined ? 0 : Math.ceil((oldest + within - now()) / 1000);
    },
    count: (key) => remember(counted, key, [...recent(key), now()].slice(-times)),
    takeBack: (key) => remember(counted, key, recent(key).slice(0, -1)),
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KEYS) map.delete(map.keys().next().value!);
}

/** Password checks under way: each takes a thread of Node's and 32 MiB. */
const CHECKS = { atOnce: 2, waiting: 20, perAddress: { staff: 5 } };

type Checks = <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;

/** So few at once that the server goes on serving; one place alone cannot take all of them. */
export function createChecks(): Checks {
  const inTurn = createAdmission({ ...CHECKS, refuse: () => tooManyTries(5) });
  return (address, work) => inTurn('staff', networksOf(address).place, work);
}
