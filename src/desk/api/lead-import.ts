import type { ImportedLead, ImportOutcome } from '../../lead/lead-import.ts';
import { backend, rows } from './backend.ts';

/** Imports the leads of a file. A trial stores nothing, and returns what an import would do with each lead. */
export async function storeImport(
  leads: readonly ImportedLead[],
  is_trial: boolean,
): Promise<readonly ImportOutcome[]> {
  const asked = backend.from('lead_imports').insert({ leads, is_trial }).select('outcomes');
  const [stored] = await rows<{ outcomes: readonly ImportOutcome[] }>(asked);
  return stored!.outcomes;
}
