import type { StepRequests } from '../../lead/step-import.ts';
import { readShipmentRow } from '../../lead/shipment-row.ts';
import { backend, rows } from './backend.ts';

/**
 * Returns the requests of an import of milestones. In a trial the server stores nothing and only says what it would do.
 */
export const stepRequests = (is_trial: boolean): StepRequests => ({
  read: (column, values) =>
    rows(backend.from('desk_shipments').select('*').in(column, values).order('booked_at'), readShipmentRow),
  store: async (steps) => {
    const asked = backend.from('step_imports').insert({ steps, is_trial }).select('outcomes');
    const [stored] = await rows<{ outcomes: readonly string[] }>(asked);
    return stored!.outcomes;
  },
});
