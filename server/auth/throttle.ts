import { createAdmission, PER_WIDER_NETWORK, networksOf } from '../admission.ts';
import type { Limits } from '../limits.ts';
import { AuthRefusal, tooManyTries } from './refusal.ts';

const MINUTE = 60_000;
const QUARTER_OF_AN_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;
/** Wrong passwords allowed for one account from one network within a quarter of an hour. */
const PER_ACCOUNT_AND_NETWORK = 5;
/** Maximum number of keys (accounts, networks, or both) in memory. The oldest key is dropped first. */
const MOST_KEYS = 10_000;

interface Throttle {
  /**
   * Counts an attempt before its result is known, so that parallel attempts count too. Throws a refusal after too many
   * attempts.
   */
  begin(name: string, address: string): { takeBack(): void };
  /**
   * Remembers that this address has signed in to the account, so that wrong passwords from other networks do not lock
   * this address out.
   */
  rememberSignIn(name: string, address: string): void;
}

/**
 * Limits wrong passwords per e-mail, whether the e-mail has an account or not, and per network. The limit per e-mail
 * does not apply to networks that have signed in to the account, so that strangers cannot lock the owner out.
 */
export function createThrottle(limits: Limits, now = Date.now): Throttle {
  const { LIMIT_WRONG_PASSWORDS_PER_ADDRESS: perAddress, LIMIT_WRONG_PASSWORDS_PER_ACCOUNT: perAccount } = limits;
  const byNetwork = createAttempts({ times: perAddress, within: QUARTER_OF_AN_HOUR }, now);
  const byWiderNetwork = createAttempts({ times: PER_WIDER_NETWORK * perAddress, within: QUARTER_OF_AN_HOUR }, now);
  const byBoth = createAttempts({ times: PER_ACCOUNT_AND_NETWORK, within: QUARTER_OF_AN_HOUR }, now);
  const byAccount = createAttempts({ times: perAccount, within: HOUR }, now);
  const signedIn = new Map<string, true>();

  return {
    begin(name, address) {
      const { network, wider } = networksOf(address);
      const both = `${network} ${name}`;
      const counters: [attempts: Attempts, key: string][] = [];
      // Attempts whose network is unknown get no limit per network, because they may come from many visitors.
      if (network) counters.push([byNetwork, network], [byBoth, both]);
      if (wider) counters.push([byWiderNetwork, wider]);
      if (!signedIn.has(both)) counters.push([byAccount, name]);
      const seconds = Math.max(...counters.map(([attempts, key]) => attempts.secondsUntilNext(key)));
      if (seconds > 0) throw tooManyTries(seconds);
      for (const [attempts, key] of counters) attempts.count(key);
      return {
        takeBack() {
          for (const [attempts, key] of counters) attempts.takeBack(key);
        },
      };
    },
    rememberSignIn(name, address) {
      const { network } = networksOf(address);
      if (network) remember(signedIn, `${network} ${name}`, true);
    },
  };
}

interface Attempts {
  secondsUntilNext(key: string): number;
  count(key: string): void;
  takeBack(key: string): void;
}

function createAttempts({ times, within }: { times: number; within: number }, now: () => number): Attempts {
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

/** Codes of refusals that count as a wrong password or second factor. */
const WRONG: ReadonlySet<string> = new Set(['invalid_credentials', 'mfa_verification_failed']);

/** Limits of concurrent password checks, each of which takes a thread and 32 MiB. */
const CHECKS = { atOnce: 2, waiting: 20, perAddress: { staff: 5 } };

type PasswordChecks = <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;

/** Queues password checks, so that the server stays responsive and no single network takes all places in the queue. */
export function createPasswordChecks(): PasswordChecks {
  const inTurn = createAdmission({ ...CHECKS, refuse: () => tooManyTries(5) });
  return (address, work) => inTurn('staff', networksOf(address).network, work);
}

export interface PasswordGuard extends Pick<Throttle, 'rememberSignIn'> {
  /** Runs `work`, which checks a password or a second factor, unless there were too many attempts. */
  check<Result>(email: string, address: string, work: () => Promise<Result>): Promise<Result>;
}

export function createPasswordGuard(limits: Limits, now: () => number): PasswordGuard {
  const throttle = createThrottle(limits, now);
  const inTurn = createPasswordChecks();
  return {
    rememberSignIn: (name, address) => throttle.rememberSignIn(name, address),
    async check(email, address, work) {
      const attempt = throttle.begin(email, address);
      try {
        const result = await inTurn(address, work);
        // A successful sign-in removes only its own attempt from the count. Earlier wrong attempts still count, because
        // somebody else at this address may be guessing.
        attempt.takeBack();
        return result;
      } catch (error) {
        if (!(error instanceof AuthRefusal && WRONG.has(error.code))) attempt.takeBack();
        throw error;
      }
    },
  };
}
