import { useRef, useState } from 'react';
import { answers as phoneWords } from '../content/answers.ts';
import { dayInWords } from '../content/dates.ts';
import { priceInWords } from '../content/prices.ts';
import { mainWords, type Bilingual as Text, englishWords } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import type { Draft } from '../lead/answer-draft.ts';
import { isDay, isPrice, isSeen, LONGEST } from '../lead/bounds.ts';
import { isKilos } from '../lead/fields.ts';
import { ANSWER_KINDS, CURRENCIES, PRICED_PER, readPrice, type AnswerKind } from '../lead/offer.ts';
import { dayInTijuana, isPast } from '../lead/tijuana.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import { Act, Acts } from './Act.tsx';
import { DONE, plainKilos, plainPrice, type Ending } from './actions.ts';
import styles from './AnswerForm.module.css';
import { serverNow } from './backend.ts';
import { drafts, filledIn, forgetAnswer, withPlaceholders, writeDraft } from './drafts.ts';
import { holdAnswer, sendNow, takeBack } from './held.ts';
import { Labelled } from './Labelled.tsx';
import type { Lead } from './lead.ts';
import type { Person } from './session.ts';
import { choicesOf, isEmptyLine, putIn, templates, wordsOf, type Template } from './templates.ts';
import { Templates } from './Templates.tsx';

const words = desk.answer;

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  readonly tell: (ended: Ending, done?: Text) => void;
}

export function AnswerForm({ lead, me, tell }: Props) {
  // Answering takes it.
  const isFree = !lead.assignee;
  // What was being written to it stays to be read.
  const isOthers = !isFree && lead.assignee !== me.id;
  const draft = useStore(drafts).get(lead.quote_id);
  const choices = choicesOf(useStore(templates));
  const [isChoosing, setChoosing] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const save = useRef<HTMLButtonElement>(null);
  const [wrong, setWrong] = useState<Text>();
  const [isPreviewed, setPreviewed] = useState(false);
  const [readWords, setReadWords] = useState<string>();
  if (isOthers && draft?.body === undefined) return null;

  const isBegun = draft && (draft.body ?? draft.price ?? draft.validUntil) !== undefined;
  const isLeaving = draft?.waiting && draft.heldUntil !== undefined;
  const canTakeBack = isLeaving && draft.heldUntil !== 0;
  const isFixed = isOthers || busy || isLeaving;
  const kind = draft?.kind ?? 'oferta';
  const per = draft?.per ?? 'kilo';
  // Kilos a month were asked for; what one shipment weighs is known where its sender measured it.
  const kilos = draft?.kilos ?? String((per === 'kilo' ? lead.peso : lead.embarque) ?? '');
  const first = choices.find((each) => each.kind === 'oferta');
  const fromTemplate = first ? wordsOf(first, lead) : '';
  const body = draft?.body === undefined ? (kind === 'oferta' ? fromTemplate : '') : filledIn(draft.body, lead);
  const write = (changes: Partial<Draft>) => {
    setWrong(undefined);
    // What was told of it, that it goes by itself, holds no more.
    if (draft?.waiting) tell(DONE);
    writeDraft(lead.quote_id, me.id, { waiting: false, ...changes });
  };
  const writeBody = (text: string) => write({ body: withPlaceholders(text, lead) });
  function putTemplate(template: Template) {
    const { selectionStart, selectionEnd } = area.current!;
    const text = wordsOf(template, lead);
    // What nobody has typed makes way.
    const whole = draft?.body === undefined ? text : putIn(body, selectionStart, selectionEnd, text);
    write({ kind: template.kind, body: withPlaceholders(whole, lead) });
    closeTemplates();
  }
  function closeTemplates(back = true) {
    setChoosing(false);
    if (back) area.current!.focus();
  }

  async function send() {
    if (isFixed) return;
    const fault = whatIsMissing(kind, body, kilos, draft);
    setWrong(fault);
    if (fault) return;
    // Words that nobody typed are read before they are sent: those, and not what a colleague has made of them since.
    if (draft?.body === undefined && !(isPreviewed && readWords === body)) {
      setReadWords(body);
      setPreviewed(true);
      setWrong(words.readFirst);
      return;
    }
    write({ kind, body: withPlaceholders(body, lead), ...(kind === 'oferta' && { per, kilos }) });
    setBusy(true);
    const ended = await holdAnswer(lead, me.id);
    setBusy(false);
    if (ended.kind === 'done') setPreviewed(false);
    // Where it waits, the form says so.
    else if (ended.kind !== 'unreachable') tell(ended);
  }

  function discard() {
    if (draft?.waiting) tell(DONE);
    forgetAnswer(lead.quote_id);
  }

  /** The buttons go with what is held. */
  const leaving = (end: (quoteId: string, by: string) => unknown) => () => {
    save.current?.focus();
    end(lead.quote_id, me.id);
  };

  return (
    <form
      className={styles['form']}
      noValidate
      // Enter in a field is no word to a customer.
      onSubmit={(event) => event.preventDefault()}
    >
      <h3 className="label">
        <Inline text={words.title} />
      </h3>
      <fieldset className={styles['kinds']}>
        <legend className="label">
          <Inline text={words.kind} />
        </legend>
        {ANSWER_KINDS.map((each) => (
          <label key={each} title={englishWords(words.kinds[each])}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={kind === each}
              disabled={isFixed}
              onChange={() => write({ kind: each })}
            />
            {mainWords(words.kinds[each])}
          </label>
        ))}
        <Bilingual text={words.kindHint[kind]} />
      </fieldset>
      {!isFixed && (
        <Templates
          canEdit={me.isSupervisor}
          isOpen={isChoosing}
          onOpen={() => setChoosing(true)}
          onClose={closeTemplates}
          onChoose={putTemplate}
          onSlash={() => {
            writeBody(putIn(body, area.current!.selectionStart, area.current!.selectionEnd, '/'));
            closeTemplates();
          }}
        />
      )}
      <div className={styles['boxes']}>
        <Labelled label={words.body} wide>
          <textarea
            ref={area}
            data-answer=""
            rows={5}
            maxLength={LONGEST.answer}
            value={body}
            readOnly={isFixed}
            onChange={(event) => writeBody(event.target.value)}
            onKeyDown={(event) => {
              const { selectionStart, selectionEnd } = event.currentTarget;
              if (event.key !== '/' || isFixed || !isEmptyLine(body, selectionStart, selectionEnd)) return;
              event.preventDefault();
              setChoosing(true);
            }}
          />
        </Labelled>
        {kind === 'oferta' && (
          <>
            <Labelled label={words.price}>
              <input
                inputMode="decimal"
                autoComplete="off"
                maxLength={12}
                value={draft?.price ?? ''}
                readOnly={isFixed}
                onChange={(event) => write({ price: event.target.value })}
              />
            </Labelled>
            <Labelled label={words.per}>
              <select
                value={per}
                disabled={isFixed}
                // A month's kilos are none of a shipment.
                onChange={(event) => write({ per: event.target.value, kilos: undefined })}
              >
                {PRICED_PER.map((each) => (
                  <option key={each} value={each}>
                    {mainWords(words[each])}
                  </option>
                ))}
              </select>
            </Labelled>
            <Labelled label={words.currency}>
              <select
                value={draft?.currency ?? 'USD'}
                disabled={isFixed}
                onChange={(event) => write({ currency: event.target.value })}
              >
                {CURRENCIES.map((code) => (
                  <option key={code} value={code}>
                    {phoneWords.currencies[code]}
                  </option>
                ))}
              </select>
            </Labelled>
            <Labelled label={words.kilos[per === 'total' ? 'total' : 'kilo']}>
              <input
                inputMode="numeric"
                autoComplete="off"
                maxLength={12}
                value={kilos}
                readOnly={isFixed}
                onChange={(event) => write({ kilos: event.target.value })}
              />
            </Labelled>
            <Labelled label={words.validUntil}>
              <input
                type="date"
                min={dayInTijuana(serverNow())}
                value={draft?.validUntil ?? ''}
                readOnly={isFixed}
                onChange={(event) => write({ validUntil: event.target.value })}
              />
            </Labelled>
          </>
        )}
      </div>
      {isPreviewed && (
        <section className={styles['preview']} aria-label={mainWords(words.preview(lead.nombre))}>
          <h4 className="label">
            <Inline text={words.preview(lead.nombre)} />
          </h4>
          {kind === 'oferta' && <p className={styles['price']}>{offerInWords(draft, per, kilos)}</p>}
          <p className={styles['body']}>{body}</p>
        </section>
      )}
      <div role="alert" className={styles['wrong']}>
        {wrong && <Bilingual text={wrong} />}
        {draft?.waiting && !isLeaving && !busy && <Bilingual text={words.waiting} />}
      </div>
      <div role="status" className={styles['held']}>
        {canTakeBack && <Bilingual text={words.held} />}
      </div>
      <Acts>
        {!isOthers && (
          <Act
            ref={save}
            words={busy || isLeaving ? words.sending : isFree ? words.takeAndSend : words.send}
            quiet={false}
            aria-busy={busy || isLeaving}
            onClick={() => void send()}
          />
        )}
        {canTakeBack && (
          <>
            <Act words={words.takeBack} onClick={leaving(takeBack)} />
            <Act words={words.sendNow} onClick={leaving(sendNow)} />
          </>
        )}
        {!isFixed && <Act words={words.look} aria-expanded={isPreviewed} onClick={() => setPreviewed(!isPreviewed)} />}
        {isBegun && !busy && !isLeaving && <Act words={words.discard} onClick={discard} />}
      </Acts>
    </form>
  );
}

function whatIsMissing(kind: AnswerKind, body: string, kilos: string, draft: Draft | undefined): Text | undefined {
  const { price = '', validUntil = '' } = draft ?? {};
  if (!isSeen(body)) return words.empty;
  if (kind !== 'oferta') return undefined;
  if (!price.trim()) return words.noPrice;
  if (!isPrice(plainPrice(price))) return words.badPrice;
  if (!isKilos(plainKilos(kilos))) return words.badKilos;
  if (!validUntil) return words.noDay;
  if (!isDay(validUntil)) return words.badDay;
  if (isPast(validUntil, serverNow())) return words.pastDay;
  return undefined;
}

/** As the phone says it; what is not written yet is left out. */
function offerInWords(draft: Draft | undefined, per: string, kilos: string): string {
  const { price = '', currency = 'USD', validUntil = '' } = draft ?? {};
  const offered = isPrice(plainPrice(price)) && readPrice({ amount: plainPrice(price), currency, per });
  return [
    offered && mainWords(priceInWords(offered, Number(plainKilos(kilos)))),
    isDay(validUntil) && mainWords(phoneWords.validUntil(dayInWords(validUntil, serverNow()))),
  ]
    .filter(Boolean)
    .join(' · ');
}
