import { answers as phoneWords } from '../../content/answers.ts';
import { mainWords } from '../../content/bilingual.ts';
import { dayInWords } from '../../content/dates.ts';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { priceInWords } from '../../content/prices.ts';
import { isDay } from '../../lead/bounds.ts';
import { serverNow } from '../api/server-clock.ts';
import section from '../SheetSection.module.css';
import styles from './AnswerForm.module.css';
import { plainKilos, priceOf } from './sending.ts';
import type { Answer } from './use-answer.ts';

/** Preview of the answer, as the customer's phone will show it. */
export function AnswerPreview({ name, answer }: { readonly name: string; readonly answer: Answer }) {
  const title = words.preview(name);
  return (
    <section className={styles['preview']} aria-label={mainWords(title)}>
      <h3 className="label">{mainWords(title)}</h3>
      {answer.kind === 'oferta' && <p className={section['price']}>{offerInWords(answer)}</p>}
      <p className={section['body']}>{answer.body}</p>
    </section>
  );
}

/** Price and last day of the offer, without the fields that are still empty. */
function offerInWords(answer: Answer): string {
  const { kilos, validUntil } = answer;
  const offered = priceOf(answer);
  return [
    offered && mainWords(priceInWords(offered, Number(plainKilos(kilos)))),
    isDay(validUntil) && mainWords(phoneWords.validUntil(dayInWords(validUntil, serverNow()))),
  ]
    .filter(Boolean)
    .join(' · ');
}
