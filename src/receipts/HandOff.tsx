import { mainWords } from '../content/bilingual.ts';
import { handOff as words } from '../content/quote-states.ts';
import { copy } from '../notices/copy.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { Inline } from '../ui/Inline.tsx';
import { handOffText } from '../content/hand-off.ts';
import { handOffLinks } from './hand-off-links.ts';
import { Share } from './Share.tsx';
import type { Quote } from '../lead/quote.ts';
import styles from './HandOff.module.css';

/** Links that send the quote as text without our server, for example by SMS. The quote still counts as waiting. */
export function HandOff({ quote }: { readonly quote: Quote }) {
  const links = handOffLinks(quote);

  return (
    <div className={styles['handOff']}>
      <p>
        <Inline text={words.title} />
      </p>
      <ul>
        <li>
          <a className="button plain" href={links.whatsapp} target="_blank" rel="noreferrer">
            {mainWords(words.whatsapp)}
          </a>
        </li>
        <li>
          <a className="button plain" href={links.sms}>
            {mainWords(words.sms)}
          </a>
        </li>
        <li>
          <a className="button plain" href={links.mail}>
            <ActionLabel text={words.mail} />
          </a>
        </li>
        {'share' in navigator && (
          <li>
            <Share data={() => ({ text: handOffText(quote) })} />
          </li>
        )}
        <li>
          <button className="button plain" type="button" onClick={() => void copy(handOffText(quote), words.copied)}>
            <ActionLabel text={words.copy} />
          </button>
        </li>
      </ul>
    </div>
  );
}

/** Button that sends a waiting quote by WhatsApp. It is the main button, because exporters use WhatsApp most. */
export function ByWhatsApp({ quote }: { readonly quote: Quote }) {
  return (
    <a className="button" href={handOffLinks(quote).whatsapp} target="_blank" rel="noreferrer">
      <ActionLabel text={words.byWhatsApp} />
    </a>
  );
}
