import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { answers as words } from '../content/answers.ts';
import { mainWords } from '../content/bilingual.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { setBusy } from '../phone/busy.ts';
import { tabDraft } from '../phone/tab-draft.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus, takeLostFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { NoBreakInline } from '../ui/no-break.tsx';
import styles from './Answers.module.css';
import { hasText, LONGEST } from '../lead/bounds.ts';
import type { Answer } from '../lead/answer.ts';
import type { NewMessage } from '../lead/messages.ts';
import { priceInWords } from '../content/prices.ts';
import type { Entry } from '../outbox/entry.ts';
import { newId } from '../lead/quote.ts';
import { sendMessage } from './send-message.ts';
import { toastNotStored } from './toast-not-stored.ts';

interface ReplyActionsProps {
  readonly quoteId: string;
  readonly messages: Entry['messages'];
  /** Last answer of the sales team. The exporter's next question refers to it. */
  readonly answer: Answer;
  readonly offer: Answer | undefined;
}

export function ReplyActions({ quoteId, messages, answer, offer }: ReplyActionsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(() => tabDraft('question', quoteId).get());
  /** Last pressed button. `accepts`: id of the offer that the visitor is about to accept. */
  const [pressed, setPressed] = useState<'choose' | 'ask' | { readonly accepts: string }>();
  const accepts = typeof pressed === 'object' ? pressed.accepts : undefined;
  const step = pressed ?? (draft && 'ask');
  // If another offer arrives before the visitor has confirmed the acceptance of the earlier one, the confirmation
  // closes.
  if (accepts && accepts !== offer?.id) setPressed('choose');
  // The id does not change until the reply is stored. A second press therefore sends the same reply, which the server
  // stores only once.
  const [id, setId] = useState(() => textOf(draft?.['id']) || newId());
  // A reply with this id may have been sent already: by the other form, because page and list can both show this quote,
  // or by this form before a reload. The next reply then needs a new id.
  if (messages.some((message) => message.id === id)) {
    setId(newId());
    setDraft(undefined);
    setPressed(pressed && 'choose');
  }
  const price = offer?.price ? priceInWords(offer.price, offer.kilos) : words.thisAnswer;
  const isAsked = answer.kind === 'pregunta';
  const confirmation = mainWords(words.confirm(price));

  async function send(message: NewMessage) {
    const stub = place.current?.closest('article');
    const ending = await sendMessage(quoteId, message);
    if (ending === 'unsaved') return toastNotStored(quoteId);
    if (ending === 'sent') toast(words.sent, { type: 'success', duration: FORM_DURATION, about: quoteId });
    setId(newId());
    close();
    if (message.kind === 'aceptada' && stub) showStamp(stub);
  }

  function ask() {
    // Page and list can both show this quote. The other form may have stored a newer draft.
    const storedDraft = tabDraft('question', quoteId).get();
    // If the tab died just after the send, the stored draft belongs to a reply that was already sent.
    const newestDraft = messages.some((message) => message.id === storedDraft?.['id']) ? undefined : storedDraft;
    setDraft(newestDraft);
    setId(textOf(newestDraft?.['id']) || id);
    setPressed('ask');
  }

  function close() {
    if (step === 'ask') tabDraft('question', quoteId).set(undefined);
    setDraft(undefined);
    setPressed('choose');
  }

  if (accepts && accepts === offer?.id)
    return (
      <div ref={place} role="alertdialog" aria-label={confirmation} className={styles['replying']}>
        <p>
          <NoBreakInline text={words.confirm(price)} />
        </p>
        <div className={styles['buttons']}>
          <button
            className="button"
            type="button"
            onClick={() => void send({ id, kind: 'aceptada', answerId: offer.id })}
          >
            <ActionLabel text={words.yes} />
          </button>
          <button ref={takeFocus} className="button plain" type="button" onClick={() => setPressed('choose')}>
            <ActionLabel text={words.no} />
          </button>
        </div>
      </div>
    );
  if (step === 'ask')
    return (
      <QuestionForm
        isAnswer={isAsked}
        initialText={textOf(draft?.['body'])}
        takesFocus={pressed === 'ask'}
        onWrite={(body) => tabDraft('question', quoteId).set({ id, body })}
        onSend={(body) => send({ id, kind: 'pregunta', answerId: answer.id, body })}
        onCancel={close}
      />
    );
  return (
    <div className={styles['buttons']}>
      {offer && (
        <button className="button" type="button" onClick={() => setPressed({ accepts: offer.id })}>
          <ActionLabel text={words.accept} />
        </button>
      )}
      <button
        ref={pressed === 'choose' ? takeLostFocus : undefined}
        className="button plain"
        type="button"
        onClick={ask}
      >
        <ActionLabel text={isAsked ? words.reply : words.ask} />
      </button>
    </div>
  );
}

/** After an acceptance the pressed buttons disappear, so focus and view move to the receipt's stamp. */
function showStamp(stub: HTMLElement): void {
  requestAnimationFrame(() => {
    stub.tabIndex = -1;
    stub.focus({ preventScroll: true });
    stub.scrollIntoView({ block: 'start' });
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

interface QuestionFormProps {
  /** True if the exporter answers a question of the sales team; false if the exporter asks one. */
  readonly isAnswer: boolean;
  /** Unsent text that was typed before a reload or before the list was closed. */
  readonly initialText: string;
  /** True if a press opened the form. The pressed button has disappeared, so the form takes the focus. */
  readonly takesFocus: boolean;
  readonly onWrite: (body: string) => void;
  readonly onSend: (body: string) => Promise<void>;
  readonly onCancel: () => void;
}

function QuestionForm({ isAnswer, initialText, takesFocus, onWrite, onSend, onCancel }: QuestionFormProps) {
  const id = useId();
  const [body, setBody] = useState(initialText);
  const text = body.trim();
  const isWritten = text !== '';
  useEffect(() => {
    setBusy('reply', isWritten);
    return () => setBusy('reply', false);
  }, [isWritten]);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (hasText(text)) return void onSend(text);
    // A text of spaces is removed. At the next press the browser itself then says that the text is missing.
    setBody('');
    onWrite('');
    event.currentTarget.querySelector('textarea')!.focus();
    return undefined;
  }

  return (
    <form className={styles['replying']} onSubmit={send}>
      <div className="field">
        <label className="label" htmlFor={id}>
          <Inline text={isAnswer ? words.yourReply : words.question} />
        </label>
        <textarea
          ref={takesFocus ? takeFocus : undefined}
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
          <ActionLabel text={isAnswer ? words.sendReply : words.send} />
        </button>
        <button className="button plain" type="button" onClick={onCancel}>
          <ActionLabel text={words.cancel} />
        </button>
      </div>
    </form>
  );
}
