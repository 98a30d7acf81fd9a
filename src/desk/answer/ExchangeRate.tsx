import { useEffect, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { charges } from '../../content/charges.ts';
import { rateInWords } from '../../content/charge-words.ts';
import { controls } from '../../content/controls.ts';
import { dayInWords } from '../../content/dates.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { hasText, isDay } from '../../lead/bounds.ts';
import { isRate, LONGEST_SOURCE, RATED } from '../../lead/offer-lines.ts';
import { newId } from '../../lead/quote.ts';
import type { RateRow } from '../../lead/rows.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, Chip } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { storeRate } from '../api/exchange-rates.ts';
import { RequestError } from '../api/request-error.ts';
import { serverNow } from '../api/server-clock.ts';
import { useBusy } from '../use-busy.ts';
import { loadRates, useRate } from './exchange-rates.ts';
import { plainPrice } from './sending.ts';

const words = deskAnswer.rate;

type Currency = RateRow['currency'];

/** Button that shows the currency's exchange rate and opens the dialog of rates. A new offer stores the rate. */
export function ExchangeRate({ currency }: { readonly currency: string }) {
  const [isOpen, setOpen] = useState(false);
  const rate = useRate(currency);
  // Rates are read again for each new offer, because a colleague may have changed them.
  useEffect(() => void loadRates().catch(() => undefined), []);
  const rated = RATED.find((each) => each === currency);
  if (!rated) return null;
  const about = rate
    ? words.current(charges.units[rated], rateInWords(rate.pesos), rate.source, dayInWords(rate.day, serverNow()))
    : words.none;
  return (
    <>
      <Chip title={mainWords(about)} onClick={() => setOpen(true)}>
        {mainWords(words.open)}
        {rate && `: ${rateInWords(rate.pesos)}`}
      </Chip>
      {isOpen && <RateDialog currency={rated} source={rate?.source} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Props {
  readonly currency: Currency;
  readonly source: string | undefined;
  readonly onClose: () => void;
}

function RateDialog({ currency, source, onClose }: Props) {
  const today = dayInTijuana(serverNow());
  const [rate, setRate] = useState({
    id: newId(),
    pesos: '',
    source: source ?? mainWords(words.usualSource),
    day: today,
  });
  const [faults, setFaults] = useState<{ pesos?: Text; source?: Text; day?: Text }>({});
  const [hasFailed, setFailed] = useState(false);
  const [busy, runOnce] = useBusy();
  const write = (changes: Partial<typeof rate>) => {
    setFaults({});
    // A changed rate gets a new id: the server may have stored the earlier values under the old id although its
    // response was lost.
    setRate({ ...rate, id: newId(), ...changes });
  };

  async function save() {
    const pesos = plainPrice(rate.pesos);
    const found = {
      ...(!isRate(pesos) && { pesos: words.faults.pesos }),
      ...(!hasText(rate.source) && { source: words.faults.source }),
      ...((!isDay(rate.day) || rate.day > today) && { day: words.faults.day }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    await runOnce(async () => {
      setFailed(false);
      try {
        await storeRate({ ...rate, currency, pesos: Number(pesos), source: rate.source.trim() });
        await loadRates();
        onClose();
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        setFailed(true);
      }
    });
  }

  return (
    <Dialog
      title={words.open}
      onClose={onClose}
      actions={
        <>
          <Button quiet={false} words={words.save} aria-busy={busy} onClick={() => void save()} />
          <Button words={controls.cancel} onClick={onClose} />
        </>
      }
    >
      <Bilingual text={words.hint} />
      <TextField
        label={words.pesos(charges.units[currency])}
        fault={faults.pesos}
        inputMode="decimal"
        isFirst
        most={9}
        value={rate.pesos}
        onChange={(pesos) => write({ pesos })}
      />
      <TextField
        label={words.source}
        fault={faults.source}
        most={LONGEST_SOURCE}
        value={rate.source}
        onChange={(text) => write({ source: text })}
      />
      <TextField
        label={words.day}
        fault={faults.day}
        type="date"
        max={today}
        value={rate.day}
        onChange={(day) => write({ day })}
      />
      <div role="alert">{hasFailed && <Bilingual text={deskFailures.notDone} />}</div>
    </Dialog>
  );
}
