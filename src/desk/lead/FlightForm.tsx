import { useState } from 'react';
import type { Bilingual } from '../../content/bilingual.ts';
import { deskShipment as words } from '../../content/desk-shipment.ts';
import { shipmentWords } from '../../content/shipment.ts';
import { isDay } from '../../lead/bounds.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import {
  AIRPORTS,
  FLIGHT_TIMES,
  instantOf,
  localTime,
  readFlight,
  type Airport,
  type FlightTime,
} from '../../lead/shipment.ts';
import { readWaybill, waybillInWords } from '../../lead/waybill.ts';
import { Select, TextField } from '../../ui/Field.tsx';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import { storeFlight } from '../api/shipments.ts';
import { useAct } from '../context.ts';
import type { Lead } from './lead.ts';
import { SubForm } from './SubForm.tsx';
import styles from './Tracking.module.css';

type Draft = Readonly<Record<'flight' | 'day' | 'waybill' | FlightTime, string>> & { readonly origin: Airport };

interface Props {
  readonly lead: Lead;
  readonly row: ShipmentRow;
  readonly onClose: () => void;
}

/** Form of flight, day, waybill and times. Each time is the local time of its place. */
export function FlightForm({ lead, row, onClose }: Props) {
  const { shipment } = row;
  // The key of the draft contains the time of the flight's last change. When a colleague changes the flight, the key
  // changes and the draft is dropped, so that the draft does not overwrite the new values.
  const [draft, write, end] = useDialogDraft(`flight ${row.answer_id} ${shipment.changed ?? ''}`, (): Draft => {
    const { origin = 'TIJ', flight = '', day = '', waybill } = shipment;
    const shown = (time: FlightTime) => {
      const at = shipment[time];
      return at === undefined ? '' : localTime(at, placeOfTime(time, origin));
    };
    return {
      origin,
      flight,
      day,
      // The airline's reference, noted when the space was booked, is often the waybill number.
      waybill: waybill ? waybillInWords(waybill) : waybillIn(lead.accepted_reference),
      pickup: shown('pickup'),
      cutoff: shown('cutoff'),
      departs: shown('departs'),
      arrives: shown('arrives'),
    };
  });
  const [isTried, setTried] = useState(false);
  const [busy, act] = useAct(lead);
  const { row: flight, faults } = readDraft(draft);
  const fault = (name: keyof Draft) => (isTried ? faults[name] : undefined);

  async function save() {
    setTried(true);
    if (!flight) return;
    const result = await act(() => storeFlight(row, flight), words.saved);
    if (result?.kind !== 'done') return;
    end();
    onClose();
  }
  const field = (name: 'flight' | 'day' | 'waybill', type: 'text' | 'date' = 'text') => (
    <TextField
      type={type}
      label={words.fields[name]}
      isFirst={name === 'flight'}
      fault={fault(name)}
      value={draft[name]}
      onChange={(value) => write({ ...draft, [name]: value })}
    />
  );
  return (
    <SubForm
      title={shipment.flight ? words.changeFlight : words.addFlight}
      send={words.save}
      busy={busy}
      onSend={() => void save()}
      onCancel={onClose}
    >
      <div className={styles['fields']}>
        {field('flight')}
        {field('day', 'date')}
        <Select
          label={words.fields.origin}
          value={draft.origin}
          options={AIRPORTS.map((airport) => [airport, shipmentWords.places[airport]])}
          onChange={(origin) => write({ ...draft, origin: origin as Airport })}
        />
        {field('waybill')}
        {FLIGHT_TIMES.map((time) => (
          <TextField
            key={time}
            type="datetime-local"
            label={words.fields.time(shipmentWords.times[time], shipmentWords.places[placeOfTime(time, draft.origin)])}
            fault={fault(time)}
            value={draft[time]}
            onChange={(value) => write({ ...draft, [time]: value })}
          />
        ))}
      </div>
    </SubForm>
  );
}

const placeOfTime = (time: FlightTime, origin: Airport) => (time === 'arrives' ? 'CGO' : origin);

function waybillIn(reference: string | null): string {
  const read = readWaybill(reference ?? '');
  return read.kind === 'waybill' ? waybillInWords(read.digits) : '';
}

/** Reads the typed fields as a database row; undefined if a field is invalid. */
function readDraft({ origin, flight: typed, day, waybill, ...times }: Draft) {
  const flight = readFlight(typed);
  const number = waybill.trim() ? readWaybill(waybill) : undefined;
  const at = Object.fromEntries(
    FLIGHT_TIMES.map((time) => [time, times[time] ? instantOf(times[time], placeOfTime(time, origin)) : undefined]),
  ) as Partial<Record<FlightTime, number>>;
  const known = FLIGHT_TIMES.flatMap((time) => at[time] ?? []);
  const isInOrder =
    known.every((one, index) => index === 0 || known[index - 1]! <= one) &&
    (at.departs === undefined || localTime(at.departs, origin).startsWith(day));
  const faults: Partial<Record<keyof Draft, Bilingual>> = {
    ...(!flight && { flight: words.faults.flight }),
    ...(!isDay(day) && { day: words.faults.day }),
    ...(number?.kind === 'check' && { waybill: words.faults.check(number.check) }),
    ...((number?.kind === 'airline' || number?.kind === 'length') && { waybill: words.faults[number.kind] }),
    ...(!isInOrder && { departs: words.faults.order }),
    ...Object.fromEntries(
      FLIGHT_TIMES.filter((time) => times[time] && at[time] === undefined).map((time) => [time, words.faults.time]),
    ),
  };
  const iso = (time: FlightTime) => (at[time] === undefined ? null : new Date(at[time]).toISOString());
  const row =
    Object.keys(faults).length > 0 || !flight
      ? undefined
      : {
          flight,
          flight_day: day,
          origin,
          waybill: number?.kind === 'waybill' ? number.digits : null,
          pickup_at: iso('pickup'),
          cutoff_at: iso('cutoff'),
          departs_at: iso('departs'),
          arrives_at: iso('arrives'),
        };
  return { row, faults };
}
