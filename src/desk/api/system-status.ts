import { config } from '../../config.ts';
import type { CheckResult } from '../../content/desk-system.ts';
import { origin, PATIENCE, sessionToken } from './backend.ts';
import { RequestError } from './request-error.ts';

/** A hosted project has no server of ours to examine. */
export const hasSystemStatus = !config.supabaseUrl;

/** Checks of the server, for supervisors. */
export async function readSystemStatus(): Promise<readonly CheckResult[]> {
  try {
    const response = await fetch(new URL('/doctor', origin), {
      headers: { apikey: config.publishableKey, authorization: `Bearer ${sessionToken()}` },
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`The server says ${response.status}`);
    return (await response.json()) as readonly CheckResult[];
  } catch (error) {
    throw new RequestError('unreachable', '', String(error));
  }
}
