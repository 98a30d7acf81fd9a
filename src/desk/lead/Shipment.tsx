import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { details as words, detailsInWords } from '../../content/details.ts';
import type { DetailsRow } from '../../lead/details.ts';
import type { LeadRow } from '../../lead/rows.ts';
import { Fact } from './Fact.tsx';

interface Props {
  readonly said: DetailsRow;
  readonly quote: LeadRow;
  readonly now: number;
  readonly boxes: string;
}

/** What is shipped, as its sender said it last. */
export function Shipment({ said, quote, now, boxes }: Props) {
  return (
    <dl className={boxes} aria-label={mainWords(words.title)}>
      {detailsInWords(said.details, now, quote).map(({ label, value, theirs }) => (
        <Fact key={mainWords(label)} label={label} own={!theirs}>
          {value}
        </Fact>
      ))}
      <Fact label={words.title} own>
        {mainWords(dateInWords(Date.parse(said.pressed_at), now))}
      </Fact>
    </dl>
  );
}
