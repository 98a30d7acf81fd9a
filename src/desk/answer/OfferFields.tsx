import { answers as phoneWords } from '../../content/answers.ts';
import { mainWords } from '../../content/bilingual.ts';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { moneyInWords, priceInWords } from '../../content/prices.ts';
import { isKilos } from '../../lead/fields.ts';
import { CURRENCIES, PRICED_PER } from '../../lead/offer.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { Buttons, Chip } from '../../ui/Button.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { serverNow } from '../api/server-clock.ts';
import { cargoOf, type Lead } from '../lead/lead.ts';
import styles from './AnswerForm.module.css';
import { asDraft } from './draft-lines.ts';
import { ExchangeRate } from './ExchangeRate.tsx';
import { dayAhead, endOfMonth, proposedPrice } from './last-offers.ts';
import { OfferLines } from './OfferLines.tsx';
import { plainKilos, priceOf } from './sending.ts';
import type { AnswerState } from './use-answer.ts';

const SPANS = [3, 7];

interface Props {
  readonly lead: Lead;
  readonly state: AnswerState;
}

export function OfferFields({ lead, state }: Props) {
  const { answer, faults, isFixed, write } = state;
  const { price, per, currency, kilos, validUntil, lines } = answer;
  const isItemised = lines.length > 0;
  return (
    <>
      <div className={styles['boxes']}>
        <TextField
          label={isItemised ? words.lines.sum : words.price}
          fault={faults.price}
          data-answer=""
          inputMode="decimal"
          most={12}
          value={price}
          readOnly={isFixed || isItemised}
          onChange={(text) => write({ price: text })}
        />
        <Select
          label={words.per}
          value={per}
          disabled={isFixed}
          options={PRICED_PER.map((each) => [each, mainWords(words[each])])}
          // Kilos of an offer by the kilo are kilos a month; kilos of a total are those of one shipment. The typed
          // kilos do not fit the new unit, so they are cleared.
          onChange={(each) =>
            write({
              per: each,
              kilos: undefined,
              // A price by the kilo is the sum of its lines, so each line must be by the kilo too.
              ...(isItemised && each === 'kilo' && { lines: lines.map((line) => ({ ...line, per: 'kilo' })) }),
            })
          }
        />
        <Select
          label={words.currency}
          value={currency}
          disabled={isFixed}
          options={CURRENCIES.map((code) => [code, phoneWords.currencies[code]])}
          onChange={(code) => write({ currency: code })}
        />
      </div>
      <Proposed lead={lead} state={state} />
      <OfferLines
        lines={lines}
        price={price}
        per={per}
        faults={faults.lines}
        isFixed={isFixed}
        onWrite={(changes) => write(changes.per === per ? { lines: changes.lines } : { ...changes, kilos: undefined })}
        onClose={() => write({ lines: undefined, ...(price && { price }) })}
      >
        <ExchangeRate currency={currency} />
      </OfferLines>
      <div className={styles['boxes']} data-halves="">
        <TextField
          label={words.kilos[per === 'total' ? 'total' : 'kilo']}
          fault={faults.kilos}
          inputMode="numeric"
          most={12}
          value={kilos}
          readOnly={isFixed}
          onChange={(text) => write({ kilos: text })}
        />
        <TextField
          label={words.validUntil}
          fault={faults.validUntil}
          type="date"
          min={dayInTijuana(serverNow())}
          value={validUntil}
          readOnly={isFixed}
          onChange={(day) => write({ validUntil: day })}
        />
      </div>
      {!isFixed && (
        <Buttons>
          {[
            ...SPANS.map((days) => [mainWords(words.days(days)), dayAhead(days)] as const),
            [mainWords(words.endOfMonth), endOfMonth()] as const,
          ].map(([name, day]) => (
            <Chip key={name} aria-pressed={day === validUntil} onClick={() => write({ validUntil: day })}>
              {name}
            </Chip>
          ))}
        </Buttons>
      )}
    </>
  );
}

/**
 * Button that proposes the price last offered to this customer or for this cargo. Once a price by the kilo is typed,
 * shows the total for one month instead of the button.
 */
function Proposed({ lead, state: { answer, offers, isFixed, write } }: Props) {
  const { price, per, kilos } = answer;
  if (!price) {
    const proposed = proposedPrice(lead, offers);
    if (!proposed || isFixed) return null;
    const priceText = mainWords(priceInWords(proposed.price));
    const { customer, cargo } = words.lastPrice;
    const last = proposed.price;
    return (
      <Buttons>
        <Chip
          onClick={() =>
            write({
              price: String(last.amount),
              per: last.per,
              currency: last.currency,
              kilos: undefined,
              lines: asDraft(proposed.lines),
            })
          }
        >
          {mainWords(proposed.isOfCustomer ? customer(priceText) : cargo(priceText, cargoOf(lead)))}
        </Chip>
      </Buttons>
    );
  }
  const offered = priceOf(answer);
  if (!offered || per !== 'kilo' || !isKilos(plainKilos(kilos))) return null;
  const sum = offered.amount * Number(plainKilos(kilos));
  return <p className={styles['sum']}>{mainWords(words.sum(moneyInWords(sum, offered.currency)))}</p>;
}
