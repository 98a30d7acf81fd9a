import { answerOnce } from './answer-once.ts';
import { examine } from './doctor/examine.ts';
import type { Machine } from './doctor/finding.ts';
import type { Gate, Identity } from './rest/identity.ts';
import { asResponse, Refusal, refusalFor } from './rest/refusal.ts';

export const STATUS_PATH = '/doctor';

/** Milliseconds for which results are cached, because some checks call other servers. */
const INTERVAL = 60_000;

/** Answers a supervisor of the desk with the results of the checks that `aeropuente doctor` runs. */
export function createSystemStatus(gate: Gate, machine: () => Machine): (request: Request) => Promise<Response> {
  const results = answerOnce(() => examine(machine()), INTERVAL);
  return async (request) => {
    try {
      requireSupervisor(await gate.identify(request));
      return Response.json(await results(), { headers: { 'cache-control': 'no-store' } });
    } catch (error) {
      return asResponse(refusalFor(error, 'anon'));
    }
  };
}

/**
 * Throws a refusal unless a supervisor sent the request. The condition is the same as in private.is_supervisor() in
 * SQL.
 */
function requireSupervisor({ role, claims }: Identity): void {
  if (role === 'anon') throw new Refusal(401, '401', 'Sign in first', { headers: { 'www-authenticate': 'Bearer' } });
  const about = claims['app_metadata'] as Readonly<Record<string, unknown>> | undefined;
  const isPassed = claims['aal'] === 'aal2' || about?.['second_factor'] === 'optional';
  if (about?.['role'] !== 'staff' || about['supervisor'] !== true || !isPassed)
    throw new Refusal(403, '42501', 'Only supervisors see the system status');
}
