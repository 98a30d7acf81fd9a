import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { eachLanguage, mainWords } from '../../content/bilingual.ts';
import { calendarWords, shipmentEvents } from '../../content/calendar.ts';
import { dayInWords } from '../../content/dates.ts';
import { deskShipment as words } from '../../content/desk-shipment.ts';
import { joined } from '../../content/sentences.ts';
import { moreOf, shipmentWords, timeAtPlace } from '../../content/shipment.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import { FLIGHT_TIMES, JOURNEY, placeOf, type Milestone, type Step } from '../../lead/shipment.ts';
import { waybillInWords } from '../../lead/waybill.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, Buttons, LinkButton } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { saveCalendar } from '../../ui/save-calendar.ts';
import { SEND_DELAY } from '../answer/send-delay.ts';
import { announce } from '../announcements.ts';
import { serverNow } from '../api/server-clock.ts';
import {
  readLeadShipment,
  readSameFlight,
  stepRows,
  storeStep,
  storeStepOnLeaving,
  takeStepBack,
  type StepFacts,
  type StepRow,
} from '../api/shipments.ts';
import { useAct, useDesk, useRead } from '../context.ts';
import { SheetSection } from '../SheetSection.tsx';
import { useBeforeLeaving } from '../use-before-leaving.ts';
import { FlightForm } from './FlightForm.tsx';
import type { Lead } from './lead.ts';
import { StepForm } from './StepForm.tsx';
import { SubForm } from './SubForm.tsx';
import styles from './Tracking.module.css';

/** Flight and milestones of a booked lead. */
export function Tracking({ lead }: { readonly lead: Lead }) {
  const { value, hasFailed } = useRead(`${lead.quote_id} ${lead.version}`, async () => {
    const row = await readLeadShipment(lead.quote_id);
    return row && { row, others: await readSameFlight(row) };
  });
  return (
    <SheetSection title={shipmentWords.title}>
      {hasFailed && !value && <Bilingual text={words.notRead} />}
      {value && <Shipment key={value.row.answer_id} lead={lead} {...value} />}
    </SheetSection>
  );
}

interface Props {
  readonly lead: Lead;
  readonly row: ShipmentRow;
  /** Other shipments on the same flight. */
  readonly others: readonly ShipmentRow[];
}

function Shipment({ lead, row, others }: Props) {
  const { me, now } = useDesk();
  const { shipment, folio } = row;
  const { flight, waybill, origin = 'TIJ', steps } = shipment;
  const [opened, setOpened] = useState<'flight' | 'step'>();
  const [isWhole, setWhole] = useState(false);
  const [held, setHeld] = useState<{
    readonly facts: StepFacts;
    readonly rows: readonly StepRow[];
    readonly until: number;
  }>();
  /** Rows whose response was lost. They may be stored already; sent again with the same ids, they are stored once. */
  const [lost, setLost] = useState<readonly StepRow[]>([]);
  const last = steps.findLast(({ step }) => step !== 'detenida')?.step;
  const next = last === 'detenida' ? undefined : JOURNEY[last ? JOURNEY.indexOf(last) + 1 : 0];
  const mayWrite = lead.assignee === me.id || me.isSupervisor;
  const events = shipmentEvents(folio, shipment);
  const of = isWhole ? [row, ...others] : [row];

  const hold = (facts: StepFacts) => {
    setOpened(undefined);
    setHeld({ facts, rows: stepRows(of, facts), until: Date.now() + SEND_DELAY });
  };
  const end = async () => {
    if (!held) return;
    setHeld(undefined);
    setWhole(false);
    setLost(await storeAll(held.rows, [row, ...others]));
  };
  const sendAgain = async () => {
    setLost([]);
    setLost(await storeAll(lost, [row, ...others]));
  };
  /**
   * Milestones that were sent because the page was left. If the page comes back, the end of the countdown must not send
   * them again.
   */
  const left = useRef(held);
  useBeforeLeaving(() => {
    left.current = held;
    return Promise.all((held?.rows ?? []).map(storeStepOnLeaving));
  });
  const endNow = useEffectEvent(() => left.current === held || void end());
  // If another lead is opened during the countdown, the milestone is stored at once.
  useEffect(() => () => void endNow(), []);

  return (
    <div className={styles['shipment']}>
      <ol className={styles['steps']}>
        {steps.map((step) => (
          <StepLine key={step.id} lead={lead} row={row} step={step} mayWrite={mayWrite && !held} />
        ))}
      </ol>
      {mayWrite && !held && !opened && (
        <>
          {others.length > 0 && flight && (
            <label className={styles['whole']}>
              <input type="checkbox" checked={isWhole} onChange={({ target }) => setWhole(target.checked)} />
              {mainWords(words.whole(flight, others.length))}
            </label>
          )}
          <Buttons>
            {next && (
              <Button
                words={shipmentWords.steps[next]}
                quiet={false}
                onClick={() => hold({ step: next, at: serverNow() })}
              />
            )}
            <Button words={words.other} onClick={() => setOpened('step')} />
            <Button words={flight ? words.changeFlight : words.addFlight} onClick={() => setOpened('flight')} />
            {events.length > 0 && <Button words={calendarWords.add} onClick={() => saveCalendar(folio, events)} />}
          </Buttons>
        </>
      )}
      {lost.length > 0 && (
        <p>
          {mainWords(words.lost(shipmentWords.steps[lost[0]!.step as Step]))}{' '}
          <LinkButton onClick={() => void sendAgain()}>{mainWords(words.sendAgain)}</LinkButton>
        </p>
      )}
      {held && (
        <SubForm
          title={shipmentWords.title}
          countdown={
            <Countdown
              until={held.until}
              total={SEND_DELAY}
              words={(seconds) => words.held(shipmentWords.steps[held.facts.step], held.rows.length, seconds)}
              onEnd={() => void end()}
            />
          }
          onCancel={() => setHeld(undefined)}
        >
          {null}
        </SubForm>
      )}
      {opened === 'step' && <StepForm row={row} next={next} onSend={hold} onClose={() => setOpened(undefined)} />}
      {opened === 'flight' && <FlightForm lead={lead} row={row} onClose={() => setOpened(undefined)} />}
      <dl className={styles['facts']}>
        <div>
          <dt className="label">{mainWords(shipmentWords.flight)}</dt>
          <dd translate="no">
            {flight ? `${flight} · ${mainWords(dayInWords(shipment.day ?? '', now))}` : mainWords(words.noFlight)}
          </dd>
        </div>
        {waybill && (
          <div>
            <dt className="label">{mainWords(shipmentWords.waybill)}</dt>
            <dd translate="no">{waybillInWords(waybill)}</dd>
          </div>
        )}
        {FLIGHT_TIMES.map((time) => {
          const at = shipment[time];
          if (at === undefined) return null;
          return (
            <div key={time}>
              <dt className="label">{mainWords(shipmentWords.times[time])}</dt>
              <dd>{mainWords(timeAtPlace(at, time === 'arrives' ? 'CGO' : origin))}</dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

interface StepProps {
  readonly lead: Lead;
  readonly row: ShipmentRow;
  readonly step: Milestone;
  readonly mayWrite: boolean;
}

function StepLine({ lead, row, step, mayWrite }: StepProps) {
  const [busy, act] = useAct(lead);
  return (
    <li data-held={step.step === 'detenida' ? '' : undefined}>
      <b>{mainWords(shipmentWords.steps[step.step])}</b>{' '}
      <span>{mainWords(joined([timeAtPlace(step.at, placeOf(step, row.shipment)), ...moreOf(step)], ' · '))}</span>{' '}
      {mayWrite && (
        <LinkButton aria-busy={busy} onClick={() => void act(() => takeStepBack(row, step.id), words.takenBack)}>
          {mainWords(words.takeBack)}
          <span className="hidden"> {mainWords(shipmentWords.steps[step.step])}</span>
        </LinkButton>
      )}
    </li>
  );
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
