import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { eachLanguage } from '../../content/bilingual.ts';
import { deskShipment as words } from '../../content/desk-shipment.ts';
import { joined } from '../../content/sentences.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import { useStore } from '../../ui/store.ts';
import { SEND_DELAY } from '../answer/send-delay.ts';
import { forgetSteps, stepDrafts, writeSteps } from '../answer/step-drafts.ts';
import { announce } from '../announcements.ts';
import { stepRows, storeStep, storeStepOnLeaving, type StepFacts, type StepRow } from '../api/shipments.ts';
import { useBeforeLeaving } from '../use-before-leaving.ts';

interface PendingStep extends Pick<StepFacts, 'step'> {
  readonly rows: readonly StepRow[];
  /** Time until which the milestone can be undone. */
  readonly until: number;
}

/**
 * Returns the milestone that is sent after ten seconds, and the milestones of these shipments for which no response
 * came.
 */
export function useStepCountdown(me: string, shipments: readonly ShipmentRow[]) {
  const [pending, setPending] = useState<PendingStep>();
  const lost = useStore(stepDrafts).flatMap(({ row, state }) => {
    const isOfThese = shipments.some(({ answer_id }) => answer_id === row.answer_id);
    return isOfThese && state === 'lost' ? row : [];
  });

  const forget = (rows: readonly StepRow[]) => forgetSteps(({ row }) => rows.some(({ id }) => id === row.id));
  async function send(rows: readonly StepRow[]) {
    writeSteps(me, rows, 'active');
    const unanswered = await storeAll(rows, shipments);
    forget(rows);
    writeSteps(me, unanswered, 'lost');
  }
  function start(of: readonly ShipmentRow[], facts: StepFacts) {
    const rows = stepRows(of, facts);
    writeSteps(me, rows, 'active');
    setPending({ step: facts.step, rows, until: Date.now() + SEND_DELAY });
  }
  function undo() {
    forget(pending?.rows ?? []);
    setPending(undefined);
  }
  function end() {
    setPending(undefined);
    if (pending) void send(pending.rows);
  }
  /**
   * Milestone that was already sent because the person left the page. If the browser keeps the page open after all, the
   * milestone is not sent a second time.
   */
  const left = useRef<PendingStep>(undefined);
  useBeforeLeaving(async () => {
    if (!pending) return;
    left.current = pending;
    setPending(undefined);
    writeSteps(me, pending.rows, 'lost');
    const isStored = await Promise.all(pending.rows.map(storeStepOnLeaving));
    forget(pending.rows.filter((_row, at) => isStored[at]));
  });
  const endNow = useEffectEvent(() => left.current === pending || end());
  // If another lead is opened during the countdown, the milestone is stored at once.
  useEffect(() => () => void endNow(), []);
  return { pending, lost, start, undo, end, sendLost: () => void send(lost) };
}

/**
 * Stores the rows of one press, and announces each refused row with its folio and the reason. Returns the rows for
 * which no response came.
 */
async function storeAll(rows: readonly StepRow[], shipments: readonly ShipmentRow[]): Promise<readonly StepRow[]> {
  const results = await Promise.all(rows.map(storeStep));
  const failures = results.flatMap((result, at) => {
    const folio = shipments.find(({ answer_id }) => answer_id === rows[at]!.answer_id)!.folio;
    return result.kind === 'done' ? [] : eachLanguage(result.says, (says) => `${folio}: ${says}`);
  });
  const done = rows.length - failures.length;
  announce(
    failures.length === 0
      ? { text: words.done(done), isGood: true }
      : { text: words.partly(done, joined(failures, '; ')), isGood: false },
  );
  return rows.filter((_row, at) => results[at]!.kind === 'unreachable');
}
