import { FORM_ID, HONEYPOT } from '../agreements.ts';
import { formAction } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { FIELDS } from '../lead/fields.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Field } from './Field.tsx';
import styles from './QuoteForm.module.css';

/** Form as HTML, rendered by the build. src/form/quote-form.ts adds the behaviour. */
export function QuoteForm() {
  return (
    // If the server accepts forms without scripts, the form is posted to `formAction`. If not, method=dialog sends
    // nothing; the default method, get, would put personal data into the address of the page.
    <form
      id={FORM_ID}
      className={styles['form']}
      tabIndex={-1}
      {...(formAction ? { method: 'post', action: formAction } : { method: 'dialog' })}
      noValidate
    >
      <fieldset>
        <legend className="hidden">{mainWords(words.legend)}</legend>
        {FIELDS.map((name) => (
          <Field key={name} name={name} />
        ))}
        <details className={styles['helper']}>
          <summary>
            <Inline text={words.weightHelper} />
          </summary>
        </details>
        <label className={styles['choice']} htmlFor="promociones">
          <input id="promociones" type="checkbox" name="promociones" />
          <span>
            <Inline text={words.promotions} />
          </span>
        </label>
        <label className="hidden" aria-hidden="true">
          {mainWords(words.trap)}
          <input name={HONEYPOT} tabIndex={-1} autoComplete="off" />
        </label>
        <div className={styles['privacy']}>
          <Inline text={words.privacy} />
          <a href="/privacidad.html">{mainWords(words.privacyLink)}</a>
        </div>
        <button className="button" type="submit">
          <span className={styles['saving']}>
            <ButtonWords text={words.saving} />
          </span>
          <ButtonWords text={words.send} />
        </button>
      </fieldset>
    </form>
  );
}
