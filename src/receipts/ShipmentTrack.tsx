import type { ReactNode } from 'react';
import { answers as words } from '../content/answers.ts';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { shipmentEvents } from '../content/calendar.ts';
import { timeOrDate } from '../content/dates.ts';
import { handOff } from '../content/quote-states.ts';
import { shipmentWords, timeAtPlace } from '../content/shipment.ts';
import { arrivalOf, flownPart, JOURNEY, placeOf, type Shipment } from '../lead/shipment.ts';
import { waybillInWords } from '../lead/waybill.ts';
import { copy } from '../notices/copy.ts';
import { FlightArc } from '../ui/FlightArc.tsx';
import { Inline } from '../ui/Inline.tsx';
import { ActionLabel } from './ActionLabel.tsx';
import { CalendarButton } from './CalendarButton.tsx';
import styles from './Answers.module.css';

interface Props {
  readonly folio: string;
  readonly shipment: Shipment;
  readonly bookedAt: number | undefined;
  readonly now: number;
}

/** Journey of a shipment to Zhengzhou: position, flight, past milestones and the next one. */
export function ShipmentTrack({ folio, shipment, bookedAt, now }: Props) {
  const { steps, origin = 'TIJ', flight, waybill } = shipment;
  const last = steps.findLast(({ step }) => step !== 'detenida');
  const next = last?.step === 'detenida' ? undefined : JOURNEY[last ? JOURNEY.indexOf(last.step) + 1 : 0];
  const hasLanded = flownPart(shipment, now) === 1;
  const arrival = hasLanded ? undefined : arrivalOf(shipment);
  return (
    <section className={styles['track']} aria-label={mainWords(shipmentWords.title)}>
      <div className={styles['line']}>
        <FlightArc flown={flownPart(shipment, now)} />
        <p translate="no">{shipmentWords.places[origin]}</p>
        <p translate="no">{shipmentWords.places.CGO}</p>
      </div>
      <ol>
        <li data-done="">
          <b>
            <Inline text={words.track.booked} />
          </b>
          {bookedAt !== undefined && <span>{mainWords(timeOrDate(bookedAt, now))}</span>}
        </li>
        {steps.map((step) => (
          <li key={step.id} data-done="" data-held={step.step === 'detenida' ? '' : undefined}>
            <b>
              <Inline text={shipmentWords.steps[step.step]} />
            </b>
            <span>{mainWords(timeAtPlace(step.at, placeOf(step, shipment)))}</span>
            {step.word !== undefined && <span className={styles['more']}>{step.word}</span>}
            {step.waste !== undefined && (
              <span className={styles['more']}>
                <Inline text={shipmentWords.waste(step.waste)} />
              </span>
            )}
          </li>
        ))}
        {next && (
          <li>
            <b>
              <Inline text={shipmentWords.steps[next]} />
            </b>
            {arrival !== undefined && next === 'llegada' && <span>≈ {mainWords(timeAtPlace(arrival, 'CGO'))}</span>}
          </li>
        )}
      </ol>
      <dl className={styles['facts']}>
        {flight && <Fact name={shipmentWords.flight}>{flight}</Fact>}
        {waybill && <Fact name={shipmentWords.waybill}>{waybillInWords(waybill)}</Fact>}
        {(['pickup', 'cutoff', 'departs'] as const).map((time) => {
          const at = shipment[time];
          if (at === undefined || last) return null;
          return (
            <Fact key={time} name={shipmentWords.times[time]}>
              {mainWords(timeAtPlace(at, origin))}
            </Fact>
          );
        })}
        {arrival !== undefined && next !== 'llegada' && (
          <Fact name={shipmentWords.times.arrives}>≈ {mainWords(timeAtPlace(arrival, 'CGO'))}</Fact>
        )}
      </dl>
      <div className={styles['buttons']}>
        {waybill && (
          <button
            className="button plain"
            type="button"
            onClick={() => void copy(waybillInWords(waybill), words.copied)}
          >
            <ActionLabel text={handOff.copy} />
          </button>
        )}
        {!hasLanded && <CalendarButton folio={folio} events={shipmentEvents(folio, shipment)} />}
      </div>
    </section>
  );
}

function Fact({ name, children }: { readonly name: Bilingual; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="label">
        <Inline text={name} />
      </dt>
      <dd translate="no">{children}</dd>
    </div>
  );
}
