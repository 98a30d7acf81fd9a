import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
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
import { forgetSteps } from '../answer/step-drafts.ts';
import { serverNow } from '../api/server-clock.ts';
import { readLeadShipment, readSameFlight, takeStepBack, type StepFacts } from '../api/shipments.ts';
import { useAct, useDesk, useRead } from '../context.ts';
import { SheetSection } from '../SheetSection.tsx';
import { FlightForm } from './FlightForm.tsx';
import type { Lead } from './lead.ts';
import { StepForm } from './StepForm.tsx';
import { SubForm } from './SubForm.tsx';
import styles from './Tracking.module.css';
import { useStepCountdown } from './use-step-countdown.ts';

export function Tracking({ lead }: { readonly lead: Lead }) {
  const { value, hasFailed } = useRead(`${lead.quote_id} ${lead.version}`, async () => {
    const row = await readLeadShipment(lead.quote_id);
    if (!row) return undefined;
    const others = await readSameFlight(row);
    const stored = new Set([row, ...others].flatMap(({ shipment }) => shipment.steps.map(({ id }) => id)));
    forgetSteps((draft) => stored.has(draft.row.id));
    return { row, others };
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
  readonly others: readonly ShipmentRow[];
}

function Shipment({ lead, row, others }: Props) {
  const { me } = useDesk();
  const { flight, steps } = row.shipment;
  const [opened, setOpened] = useState<'flight' | 'step'>();
  const [isWhole, setWhole] = useState(false);
  const { pending, lost, start, undo, end, sendLost } = useStepCountdown(me.id, [row, ...others]);
  const last = steps.findLast(({ step }) => step !== 'detenida')?.step;
  const next = last === 'detenida' ? undefined : JOURNEY[last ? JOURNEY.indexOf(last) + 1 : 0];
  const mayWrite = (lead.assignee === me.id || me.isSupervisor) && !pending;
  const press = (facts: StepFacts) => {
    setOpened(undefined);
    start(isWhole ? [row, ...others] : [row], facts);
  };
  return (
    <div className={styles['shipment']}>
      <ol className={styles['steps']}>
        {steps.map((step) => (
          <StepLine key={step.id} lead={lead} row={row} step={step} mayWrite={mayWrite} />
        ))}
      </ol>
      {mayWrite && !opened && (
        <>
          {others.length > 0 && flight && (
            <label className={styles['whole']}>
              <input type="checkbox" checked={isWhole} onChange={({ target }) => setWhole(target.checked)} />
              {mainWords(words.whole(flight, others.length))}
            </label>
          )}
          <Actions row={row} next={next} onPress={press} onOpen={setOpened} />
        </>
      )}
      {lost.length > 0 && (
        <p>
          {mainWords(words.lost(shipmentWords.steps[lost[0]!.step as Step]))}{' '}
          <LinkButton onClick={sendLost}>{mainWords(words.sendAgain)}</LinkButton>
        </p>
      )}
      {pending && (
        <SubForm
          title={shipmentWords.title}
          countdown={
            <Countdown
              until={pending.until}
              total={SEND_DELAY}
              words={(seconds) => words.held(shipmentWords.steps[pending.step], pending.rows.length, seconds)}
              onEnd={() => {
                setWhole(false);
                end();
              }}
            />
          }
          onCancel={undo}
        >
          {null}
        </SubForm>
      )}
      {opened === 'step' && <StepForm row={row} next={next} onSend={press} onClose={() => setOpened(undefined)} />}
      {opened === 'flight' && <FlightForm lead={lead} row={row} onClose={() => setOpened(undefined)} />}
      <FlightFacts row={row} />
    </div>
  );
}

interface ActionsProps {
  readonly row: ShipmentRow;
  readonly next: Step | undefined;
  readonly onPress: (facts: StepFacts) => void;
  readonly onOpen: (opened: 'flight' | 'step') => void;
}

function Actions({ row: { folio, shipment }, next, onPress, onOpen }: ActionsProps) {
  const events = shipmentEvents(folio, shipment);
  return (
    <Buttons>
      {next && (
        <Button
          words={shipmentWords.steps[next]}
          quiet={false}
          onClick={() => onPress({ step: next, at: serverNow() })}
        />
      )}
      <Button words={words.other} onClick={() => onOpen('step')} />
      <Button words={shipment.flight ? words.changeFlight : words.addFlight} onClick={() => onOpen('flight')} />
      {events.length > 0 && <Button words={calendarWords.add} onClick={() => saveCalendar(folio, events)} />}
    </Buttons>
  );
}

function FlightFacts({ row: { shipment } }: Pick<Props, 'row'>) {
  const { now } = useDesk();
  const { flight, waybill, origin = 'TIJ' } = shipment;
  return (
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
