import { answers as phoneWords } from '../../content/answers.ts';
import { mainWords } from '../../content/bilingual.ts';
import { lineInWords, pesosInWords } from '../../content/charge-words.ts';
import { dayInWords } from '../../content/dates.ts';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { priceInWords } from '../../content/prices.ts';
import { isDay } from '../../lead/bounds.ts';
import { inPesos, offerTotal } from '../../lead/offer-lines.ts';
import { serverNow } from '../api/server-clock.ts';
import section from '../SheetSection.module.css';
import styles from './AnswerForm.module.css';
import { useRate } from './exchange-rates.ts';
import { lineOf, plainKilos, priceOf } from './sending.ts';
import type { AnswerFields } from './use-answer.ts';

export function AnswerPreview({ name, answer }: { readonly name: string; readonly answer: AnswerFields }) {
  const title = words.preview(name);
  return (
    <section className={styles['preview']} aria-label={mainWords(title)}>
      <h3 className="label">{mainWords(title)}</h3>
      {answer.kind === 'oferta' && <p className={section['price']}>{offerInWords(answer)}</p>}
      {answer.kind === 'oferta' && <PreviewLines answer={answer} />}
      <p className={section['body']}>{answer.body}</p>
    </section>
  );
}

/** Lines of the offer and its price in pesos. Nothing is shown until price and kilos are valid. */
function PreviewLines({ answer }: { readonly answer: AnswerFields }) {
  const rate = useRate(answer.currency);
  const kilos = Number(plainKilos(answer.kilos));
  const price = priceOf(answer);
  if (!price || !kilos) return null;
  const total = offerTotal(price, kilos);
  const facts = rate && { rate: rate.pesos, pesos: inPesos(total, rate.pesos), source: rate.source, day: rate.day };
  const pesos = facts && pesosInWords(facts, price.currency);
  return (
    <ul>
      {answer.lines.map((line, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line has no id, only its place
        <li key={place}>{mainWords(lineInWords(lineOf(line), price, kilos))}</li>
      ))}
      {pesos && <li>{mainWords(pesos)}</li>}
    </ul>
  );
}

/** Price and last day of the offer, without the fields that are still empty. */
function offerInWords(answer: AnswerFields): string {
  const { kilos, validUntil } = answer;
  const offered = priceOf(answer);
  return [
    offered && mainWords(priceInWords(offered, Number(plainKilos(kilos)))),
    isDay(validUntil) && mainWords(phoneWords.validUntil(dayInWords(validUntil, serverNow()))),
  ]
    .filter(Boolean)
    .join(' · ');
}
