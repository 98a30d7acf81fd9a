import * as z from 'zod/mini';
import { STEPS } from '../../lead/shipment.ts';
import { isRecord, readShape } from '../../lead/validation.ts';
import { persisted } from '../../phone/persisted.ts';
import { createStore } from '../../ui/create-store.ts';
import type { StepRow } from '../api/shipments.ts';
import { tabStorage } from '../api/tab-storage.ts';

interface StepDraft {
  /** Id of the person who recorded the milestone. */
  readonly by: string;
  readonly row: StepRow;
  /**
   * `active`: this page sends the milestone at once or after its delay. `lost`: no response came, so the server may
   * have stored the milestone or not. If it is sent again, the server stores it only once.
   */
  readonly state: 'active' | 'lost';
}

const isStep = (row: unknown) => isRecord(row) && STEPS.some((step) => step === row['step']);
const shape = { by: z.string(), row: z.custom<StepRow>(isStep) };
const storedDrafts = persisted(
  'aeropuente.desk.steps',
  (stored) => (Array.isArray(stored) ? stored.flatMap((draft) => readShape(shape, draft) ?? []) : undefined),
  () => tabStorage,
);

/** Milestones that may not have reached the server. They stay in this tab, like drafts of answers. */
export const stepDrafts = createStore<readonly StepDraft[]>(
  (storedDrafts.get() ?? []).map((draft) => ({ ...draft, state: 'lost' })),
);

function setDrafts(drafts: readonly StepDraft[]): void {
  storedDrafts.set(drafts.length > 0 ? drafts.map(({ by, row }) => ({ by, row })) : undefined);
  stepDrafts.set(drafts);
}

export function writeSteps(by: string, rows: readonly StepRow[], state: StepDraft['state']): void {
  const others = stepDrafts.read().filter(({ row }) => !rows.some(({ id }) => id === row.id));
  setDrafts([...others, ...rows.map((row) => ({ by, row, state }))]);
}

export const forgetSteps = (isOver: (draft: StepDraft) => boolean = () => true): void =>
  setDrafts(stepDrafts.read().filter((draft) => !isOver(draft)));
