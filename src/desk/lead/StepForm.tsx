import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskShipment as words } from '../../content/desk-shipment.ts';
import { shipmentWords } from '../../content/shipment.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import type { ShipmentRow } from '../../lead/shipment-row.ts';
import { instantOf, localTime, placeOf, STEPS, type Milestone, type Step } from '../../lead/shipment.ts';
import { Select, TextField } from '../../ui/Field.tsx';
import { serverNow } from '../api/server-clock.ts';
import type { StepFacts } from '../api/shipments.ts';
import { SubForm } from './SubForm.tsx';

interface Props {
  readonly row: ShipmentRow;
  readonly next: Step | undefined;
  readonly onSend: (facts: StepFacts) => void;
  readonly onClose: () => void;
}

const PERCENT = /^(100(\.0)?|\d{1,2}(\.\d)?)$/;

/**
 * Form of a milestone: the local time at the milestone's place, the reason of a delay, the spoilage found at delivery.
 */
export function StepForm({ row: { shipment }, next, onSend, onClose }: Props) {
  const placed = (step: Step) => {
    const milestone: Milestone = { id: '', step, at: Infinity };
    return placeOf(milestone, { ...shipment, steps: [...shipment.steps, milestone] });
  };
  const [step, setStep] = useState<Step>(next ?? 'detenida');
  const place = placed(step);
  const [time, setTime] = useState<string>();
  const [word, setWord] = useState('');
  const [waste, setWaste] = useState('');
  const [isTried, setTried] = useState(false);
  const shown = time ?? localTime(serverNow(), place);
  const at = time === undefined ? serverNow() : instantOf(time, place);
  const faults = {
    at: at === undefined,
    word: step === 'detenida' && !hasText(word),
    waste: step === 'entregada' && waste.trim() !== '' && !PERCENT.test(waste.trim()),
  };
  const there = new Set(shipment.steps.map((each) => each.step));
  function send() {
    setTried(true);
    if (at === undefined || faults.word || faults.waste) return;
    onSend({
      step,
      at,
      ...(step === 'detenida' && { word: word.trim() }),
      ...(step === 'entregada' && waste.trim() && { waste: waste.trim() }),
    });
  }
  return (
    <SubForm title={words.other} send={words.save} onSend={send} onCancel={onClose}>
      <Select
        label={words.step}
        value={step}
        isFirst
        options={STEPS.filter((each) => each === 'detenida' || !there.has(each)).map((each) => [
          each,
          mainWords(shipmentWords.steps[each]),
        ])}
        onChange={(value) => {
          // The places of two milestones may be in different time zones. The typed time is converted to the zone of the
          // chosen milestone.
          const typed = time === undefined ? undefined : instantOf(time, place);
          setStep(value as Step);
          setTime(typed === undefined ? undefined : localTime(typed, placed(value as Step)));
        }}
      />
      <TextField
        type="datetime-local"
        label={words.at(shipmentWords.places[place])}
        fault={isTried && faults.at ? words.faults.time : undefined}
        value={shown}
        onChange={setTime}
      />
      {step === 'detenida' && (
        <TextField
          label={words.word}
          fault={isTried && faults.word ? words.faults.word : undefined}
          most={LONGEST.move}
          value={word}
          onChange={setWord}
        />
      )}
      {step === 'entregada' && (
        <TextField
          label={words.waste}
          inputMode="decimal"
          fault={isTried && faults.waste ? words.faults.waste : undefined}
          value={waste}
          onChange={setWaste}
        />
      )}
    </SubForm>
  );
}
