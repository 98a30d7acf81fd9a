import { config } from '../../config.ts';
import type { CheckResult } from '../../content/desk-system.ts';
import { readJsonAt, sessionToken } from './backend.ts';
import { RequestError } from './request-error.ts';

/** False with hosted Supabase: no server of ours runs there that could report its state. */
export const hasSystemStatus = !config.supabaseUrl;

export async function readSystemStatus(): Promise<readonly CheckResult[]> {
  try {
    const authorization = `Bearer ${sessionToken()}`;
    return (await readJsonAt('/doctor', { authorization })) as readonly CheckResult[];
  } catch (error) {
    throw new RequestError('unreachable', '', String(error));
  }
}
