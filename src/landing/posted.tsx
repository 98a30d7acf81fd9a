import { renderToStaticMarkup } from 'react-dom/server';
import { FORM_ID, type PostedParts } from '../agreements.ts';
import { config, noticeVersion } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { back } from '../content/legal.ts';
import { noScriptForm as words } from '../content/no-script-form.ts';
import { receipt } from '../content/quote-states.ts';
import { Field } from '../form/Field.tsx';
import { QuoteForm } from '../form/QuoteForm.tsx';
import formStyles from '../form/FormStates.module.css';
import { byField, type Field as Name } from '../lead/fields.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { FlightArc } from '../ui/FlightArc.tsx';
import { telephone } from '../ui/contact-links.ts';
import { Head } from './Head.tsx';
import { Footer } from './sections/Footer.tsx';
import receiptStyles from '../receipts/Receipt.module.css';
import legalStyles from './sections/Legal.module.css';

const fault = { es: '{{es}}', en: '{{en}}' };

export function posted(): PostedParts {
  const field = (name: Name, wrong: boolean) =>
    renderToStaticMarkup(<Field name={name} fault={wrong ? fault : undefined} />);
  return {
    head: renderToStaticMarkup(<Head title={mainWords(words.title)} description={mainWords(words.title)} />),
    page: renderToStaticMarkup(<Page />),
    form: withoutHelper(renderToStaticMarkup(<QuoteForm />)),
    fields: byField((name) => [field(name, false), field(name, true)] as const),
    receipt: renderToStaticMarkup(<Receipt />),
    notice: renderToStaticMarkup(<Notice />),
    wayBack: renderToStaticMarkup(<WayBack />),
    noticeVersion,
  };
}

/** Removes the weight calculator from a form that is sent without script: the calculator needs scripts. */
function withoutHelper(form: string): string {
  const [start = '', helper = ''] = form.split('<details');
  return start + helper.split('</details>')[1];
}

function Page() {
  return (
    <>
      <header className={legalStyles['head']}>
        <a href="/">
          <Inline text={back} />
        </a>
      </header>
      <main className={legalStyles['sheet']}>
        <Bilingual as="h1" text={words.title} />
        {'{{content}}'}
      </main>
      <Footer />
    </>
  );
}

function Notice() {
  return (
    <div className={formStyles['draft']} role="alert">
      <span>
        <Inline text={fault} />
      </span>
    </div>
  );
}

function WayBack() {
  return (
    <a className="button" href={`/#${FORM_ID}`}>
      <ButtonWords text={words.backToForm} />
    </a>
  );
}

function Receipt() {
  const { phone, email } = config.company;
  return (
    <article
      className={`stub ${receiptStyles['receipt']} ${receiptStyles['delivered']}`}
      aria-label={`${mainWords(receipt.title)} {{folio}}`}
    >
      <header>
        <p className="label">
          <Inline text={receipt.folio} />
        </p>
        <p className={receiptStyles['folio']} translate="no">
          {'{{folio}}'}
        </p>
        <p className={receiptStyles['state']}>
          <Inline text={words.delivered} />
        </p>
        <FlightArc flown={1} />
      </header>
      <hr className={receiptStyles['tear']} />
      <div className={receiptStyles['body']}>
        <p>{'{{summary}}'}</p>
        <p>{'{{contact}}'}</p>
        <div role="status">
          <p>
            <Inline text={fault} />
          </p>
        </div>
        <p>
          <Inline text={words.call} /> <a href={telephone(phone)}>{phone}</a> · <a href={`mailto:${email}`}>{email}</a>
        </p>
        <p>
          <Inline text={words.keep} />
        </p>
        <a className="button" href="{{link}}">
          <ButtonWords text={words.open} />
        </a>
      </div>
    </article>
  );
}
