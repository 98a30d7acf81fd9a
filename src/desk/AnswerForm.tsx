import { useId, useState, type ReactNode } from 'react';
import { answers as phoneWords } from '../content/answers.ts';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import type { Draft } from '../lead/answer-draft.ts';
import { isDay, isPrice, isSeen, LONGEST } from '../lead/bounds.ts';
import { CURRENCIES, PRICED_PER } from '../lead/offer.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { useStore } from '../ui/store.ts';
import { Translation } from '../ui/Translation.tsx';
import { Act } from './Act.tsx';
import { answer, plainPrice, type Ending } from './actions.ts';
import styles from './AnswerForm.module.css';
import { serverNow } from './backend.ts';
import { drafts, filledIn, forgetAnswer, withPlaceholders, writeDraft } from './drafts.ts';
import { cargoOf, type Lead } from './lead.ts';
import type { Person } from './session.ts';
import { keepTemplate, ownTemplate } from './template.ts';

const words = desk.answer;

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  /** Nobody has it: answering takes it. */
  readonly isFree?: boolean;
  /** Somebody else has it. What was being written to it stays to be read. */
  readonly isHeld?: boolean;
  readonly tell: (ended: Ending, done?: Text) => void;
}

export function AnswerForm({ lead, me, isFree = false, isHeld = false, tell }: Props) {
  const draft = useStore(drafts).get(lead.quote_id);
  const [template, setTemplate] = useState(ownTemplate);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Text>();
  if (isHeld && draft?.body === undefined) return null;

  const isBegun = draft && (draft.body ?? draft.price ?? draft.validUntil) !== undefined;
  const fromTemplate = filledIn(template, lead, [
    ['{peso}', lead.peso.toLocaleString('es-MX')],
    ['{carga}', cargoOf(lead)],
    ['{folio}', lead.folio],
  ]);
  const body = draft?.body === undefined ? fromTemplate : filledIn(draft.body, lead);
  const write = (changes: Partial<Draft>) => {
    setWrong(undefined);
    writeDraft(lead.quote_id, me.id, { waiting: false, ...changes });
  };
  const writeBody = (text: string) => write({ body: withPlaceholders(text, lead) });

  async function send() {
    if (busy || isHeld) return;
    const fault = faultIn(body, draft);
    setWrong(fault);
    if (fault) return;
    writeBody(body);
    setBusy(true);
    const ended = await answer(lead, me.id);
    setBusy(false);
    // Where it waits, the form says so.
    if (ended.kind !== 'unreachable') tell(ended, words.saved);
  }

  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3 className="label">
        {mainWords(words.title)} <Translation text={words.title} />
      </h3>
      <div className={styles['boxes']}>
        <Labelled label={words.body} wide>
          {(id) => (
            <textarea
              id={id}
              data-answer=""
              rows={5}
              maxLength={LONGEST.answer}
              value={body}
              readOnly={isHeld}
              onChange={(event) => writeBody(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label={words.price}>
          {(id) => (
            <input
              id={id}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={draft?.price ?? ''}
              onChange={(event) => write({ price: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label={words.per}>
          {(id) => (
            <select id={id} value={draft?.per ?? 'kilo'} onChange={(event) => write({ per: event.target.value })}>
              {PRICED_PER.map((per) => (
                <option key={per} value={per}>
                  {mainWords(words[per])}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled label={words.currency}>
          {(id) => (
            <select
              id={id}
              value={draft?.currency ?? 'USD'}
              onChange={(event) => write({ currency: event.target.value })}
            >
              {CURRENCIES.map((code) => (
                <option key={code} value={code}>
                  {phoneWords.currencies[code]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled label={words.validUntil}>
          {(id) => (
            <input
              id={id}
              type="date"
              min={dayInTijuana(serverNow())}
              value={draft?.validUntil ?? ''}
              onChange={(event) => write({ validUntil: event.target.value })}
            />
          )}
        </Labelled>
      </div>
      <div role="alert" className={styles['wrong']}>
        {wrong && <Bilingual text={wrong} />}
        {draft?.waiting && !busy && <Bilingual text={words.waiting} />}
      </div>
      <div className={styles['acts']}>
        {!isHeld && (
          <button className="button" aria-busy={busy} title={(isFree ? words.takeAndSend : words.send).en}>
            {mainWords(busy ? words.sending : isFree ? words.takeAndSend : words.send)}
          </button>
        )}
        {isBegun && !busy && <Act words={words.discard} onClick={() => forgetAnswer(lead.quote_id)} />}
      </div>
      <TemplateEditor template={template} onKept={setTemplate} />
    </form>
  );
}

function faultIn(body: string, draft: Draft | undefined): Text | undefined {
  const { price = '', validUntil = '' } = draft ?? {};
  if (!isSeen(body)) return words.empty;
  if (price.trim() && !isPrice(plainPrice(price))) return words.badPrice;
  if (validUntil && !isDay(validUntil)) return words.badDay;
  if (validUntil && validUntil < dayInTijuana(serverNow())) return words.pastDay;
  return undefined;
}

interface LabelledProps {
  readonly label: Text;
  readonly wide?: boolean;
  readonly children: (id: string) => ReactNode;
}

function Labelled({ label, wide = false, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="field" data-wide={wide ? '' : undefined}>
      <label className="label" htmlFor={id}>
        {mainWords(label)} <Translation text={label} />
      </label>
      {children(id)}
    </div>
  );
}

interface TemplateProps {
  readonly template: string;
  readonly onKept: (template: string) => void;
}

function TemplateEditor({ template, onKept }: TemplateProps) {
  const [text, setText] = useState(template);
  const [isKept, setKept] = useState(false);
  return (
    <details className={styles['template']}>
      <summary title={words.template.en}>{mainWords(words.template)}</summary>
      <textarea
        rows={4}
        maxLength={2000}
        value={text}
        aria-label={mainWords(words.template)}
        onChange={(event) => {
          setText(event.target.value);
          setKept(false);
        }}
      />
      <Bilingual text={words.templateHint} />
      <Act
        words={words.templateSave}
        onClick={() => {
          onKept(keepTemplate(text));
          setKept(true);
        }}
      />
      <div role="status">{isKept && <Bilingual text={words.templateSaved} />}</div>
    </details>
  );
}
