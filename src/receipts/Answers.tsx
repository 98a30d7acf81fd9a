import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { answers as words } from '../content/answers.ts';
import { mainWords } from '../content/bilingual.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { setBusy } from '../phone/busy.ts';
import { endTabDraft, readTabDraft, saveTabDraft } from '../phone/tab-draft.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { WholeInline } from '../ui/whole.tsx';
import styles from './Answers.module.css';
import { isSeen, LONGEST } from '../lead/bounds.ts';
import { isWord, type Answer } from '../lead/said.ts';
import type { NewReply } from '../outbox/conversation.ts';
import { priceInWords } from '../content/prices.ts';
import { acceptable, describeAnswer, describeReply, presentOf } from './describe-answer.ts';
import type { Entry } from '../outbox/entry.ts';
import { newId } from '../lead/quote.ts';
import { submitReply } from './submit-reply.ts';
import { sayNotKept } from './say-not-kept.ts';

interface Props {
  readonly entry: Entry;
  readonly now: number;
}

/** The conversation of sales team and sender, with the replies that can be given next. */
export function Answers({ entry, now }: Props) {
  const { id, answers, replies } = entry;
  const last = answers.at(-1)!;
  const answerTo = ({ answerId }: Entry['replies'][number]) => answers.find((answer) => answer.id === answerId);
  const said = [
    ...answers.map((answer) => ({ at: answer.at, answer, reply: undefined })),
    ...replies.map((reply) => ({ at: saidAt(reply), answer: undefined, reply })),
  ].toSorted((one, other) => one.at - other.at);

  return (
    <div className={styles['answers']}>
      <ol>
        {said.map(({ answer, reply }) => {
          if (answer) {
            const isNew = !replies.some(({ answerId }) => answerId === answer.id);
            return (
              <AnswerItem
                key={answer.id}
                quoteId={id}
                answer={answer}
                replies={replies}
                now={presentOf(entry, now)}
                isLast={answer === last}
                isNew={isNew}
              />
            );
          }
          if (!isWord(reply)) return null;
          return (
            <li key={reply.id} className={styles['mine']}>
              {reply.body && <p translate="no">{reply.body}</p>}
              <p role="status">
                <WholeInline text={describeReply(reply, id, answerTo(reply), last.at, now)} />
              </p>
            </li>
          );
        })}
      </ol>
      <Replying quoteId={id} replies={replies} answer={last} offer={acceptable(entry, presentOf(entry, now))} />
    </div>
  );
}

function saidAt({ createdAt, state }: Entry['replies'][number]): number {
  return state.kind === 'delivered' ? state.at : createdAt;
}

interface AnswerProps {
  readonly quoteId: string;
  readonly answer: Answer;
  readonly replies: Entry['replies'];
  readonly now: number;
  /** The receipt itself says when the last one came, and its price. */
  readonly isLast: boolean;
  readonly isNew: boolean;
}

function AnswerItem({ quoteId, answer, replies, now, isLast, isNew }: AnswerProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // In the list it is what was come for; in the page something else may be being read.
    if (!isNew || !item.current!.closest('dialog')) return;
    requestAnimationFrame(() => item.current?.scrollIntoView({ block: 'center' }));
  }, [isNew]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void submitReply(quoteId, { id: newId(), answerId: answer.id, kind: 'vista', body: '' });
      },
      // A long one is never on the screen as a whole.
      { threshold: 0.1 },
    );
    observer.observe(item.current!);
    return () => observer.disconnect();
  }, [quoteId, answer.id]);
  return (
    <li ref={item} className={styles['theirs']}>
      {!isLast && (
        <p>
          <WholeInline text={describeAnswer(answer, replies, now)} />
        </p>
      )}
      <p className={styles['words']}>{answer.body}</p>
    </li>
  );
}

interface ReplyingProps {
  readonly quoteId: string;
  readonly replies: Entry['replies'];
  /** The last one, of which can be asked. */
  readonly answer: Answer;
  /** The one that can be accepted. */
  readonly offer: Answer | undefined;
}

function Replying({ quoteId, replies, answer, offer }: ReplyingProps) {
  const [kept, setKept] = useState(() => readTabDraft('question', quoteId));
  /** Undefined until something was pressed. Of an acceptance that is asked about: the id of the offer. */
  const [pressed, setPressed] = useState<'choose' | 'ask' | { readonly accepts: string }>();
  const accepts = typeof pressed === 'object' ? pressed.accepts : undefined;
  const step = pressed ?? (kept && 'ask');
  // Another price stands meanwhile, or none: that one was not pressed.
  if (accepts && accepts !== offer?.id) setPressed('choose');
  // The id of the reply that is being made: one that is pressed again is the same one.
  const [id, setId] = useState(() => textOf(kept?.['id']) || newId());
  // It was said: from the receipt in the list or in the page, or before the tab was lost.
  if (replies.some((reply) => reply.id === id)) {
    setId(newId());
    setKept(undefined);
    setPressed(pressed && 'choose');
  }
  const price = offer?.price ? priceInWords(offer.price, offer.kilos) : words.thisAnswer;
  const isAsked = answer.kind === 'pregunta';
  const what = mainWords(words.confirm(price));

  async function say(reply: Omit<NewReply, 'id'>) {
    const ending = await submitReply(quoteId, { ...reply, id });
    if (ending === 'unsaved') return sayNotKept(quoteId);
    if (ending === 'sent') toast(words.sent, { type: 'success', duration: FORM_DURATION, about: quoteId });
    setId(newId());
    close();
  }

  function ask() {
    // Words may have been begun meanwhile in the other receipt of this quote, in the page or in the list.
    const written = readTabDraft('question', quoteId);
    // Or said there, in a tab that could not tidy up any more.
    const begun = replies.some((reply) => reply.id === written?.['id']) ? undefined : written;
    setKept(begun);
    setId(textOf(begun?.['id']) || id);
    setPressed('ask');
  }

  function close() {
    if (step === 'ask') endTabDraft('question', quoteId);
    setKept(undefined);
    setPressed('choose');
  }

  if (accepts && accepts === offer?.id)
    return (
      <div role="alertdialog" aria-label={what} className={styles['replying']}>
        <p>
          <WholeInline text={words.confirm(price)} />
        </p>
        <div className={styles['buttons']}>
          <button
            className="button"
            type="button"
            onClick={() => void say({ answerId: offer.id, kind: 'aceptada', body: '' })}
          >
            <ButtonWords text={words.yes} />
          </button>
          <button ref={takeFocus} className="button plain" type="button" onClick={() => setPressed('choose')}>
            <ButtonWords text={words.no} />
          </button>
        </div>
      </div>
    );
  if (step === 'ask')
    return (
      <Question
        isReply={isAsked}
        begun={textOf(kept?.['body'])}
        isAsked={pressed === 'ask'}
        onWrite={(body) => saveTabDraft('question', quoteId, { id, body })}
        onSend={(body) => say({ answerId: answer.id, kind: 'pregunta', body })}
        onCancel={close}
      />
    );
  return (
    <div className={styles['buttons']}>
      {offer && (
        <button className="button" type="button" onClick={() => setPressed({ accepts: offer.id })}>
          <ButtonWords text={words.accept} />
        </button>
      )}
      <button
        // The button that is back in its place takes the focus back.
        ref={pressed === 'choose' ? takeFocus : undefined}
        className="button plain"
        type="button"
        onClick={ask}
      >
        <ButtonWords text={isAsked ? words.reply : words.ask} />
      </button>
    </div>
  );
}

const textOf = (kept: unknown) => (typeof kept === 'string' ? kept : '');

interface QuestionProps {
  /** To what the sales team asked. */
  readonly isReply: boolean;
  /** Before the tab was put aside, or the list closed. */
  readonly begun: string;
  /** By a press, whose button is gone. */
  readonly isAsked: boolean;
  readonly onWrite: (body: string) => void;
  readonly onSend: (body: string) => Promise<void>;
  readonly onCancel: () => void;
}

function Question({ isReply, begun, isAsked, onWrite, onSend, onCancel }: QuestionProps) {
  const id = useId();
  const [body, setBody] = useState(begun);
  const text = body.trim();
  const isWritten = text !== '';
  useEffect(() => {
    setBusy('reply', isWritten);
    return () => setBusy('reply', false);
  }, [isWritten]);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSeen(text)) return void onSend(text);
    // Spaces are nothing: the next press says so, in the browser's own words.
    setBody('');
    onWrite('');
    event.currentTarget.querySelector('textarea')!.focus();
    return undefined;
  }

  return (
    <form className={styles['replying']} onSubmit={send}>
      <div className="field">
        <label className="label" htmlFor={id}>
          <Inline text={isReply ? words.yourReply : words.question} />
        </label>
        <textarea
          ref={isAsked ? takeFocus : undefined}
          id={id}
          rows={3}
          required
          maxLength={LONGEST.question}
          value={body}
          onChange={({ target }) => {
            setBody(target.value);
            onWrite(target.value);
          }}
        />
      </div>
      <div className={styles['buttons']}>
        <button className="button" type="submit">
          <ButtonWords text={isReply ? words.sendReply : words.send} />
        </button>
        <button className="button plain" type="button" onClick={onCancel}>
          <ButtonWords text={words.cancel} />
        </button>
      </div>
    </form>
  );
}
