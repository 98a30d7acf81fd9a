import type { Bilingual } from '../content/bilingual.ts';
import { messagesOfKind, type MessageKind } from '../lead/messages.ts';
import { newId } from '../lead/quote.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { storeMessage } from './send-message.ts';

interface WithdrawalWords {
  readonly given: Bilingual;
  readonly withdraw: Bilingual;
  /** Text for each state of the message by which the consent is withdrawn. */
  readonly withdrawals: Readonly<Record<'waiting' | 'delivered' | 'refused', Bilingual>>;
  readonly notKept: Bilingual;
}

interface Props {
  readonly entry: Entry;
  readonly kind: Extract<MessageKind, 'baja' | 'sincorreo'>;
  readonly words: WithdrawalWords;
}

/** Button that withdraws the consent to promotions, or stops e-mail about the quote. */
export function Withdrawal({ entry: { id, messages }, kind, words }: Props) {
  const sendState = messagesOfKind(messages, kind).at(-1)?.state.kind;

  async function withdraw() {
    await storeMessage(id, { id: newId(), kind }).catch(() => toast(words.notKept, { type: 'error', about: id }));
  }

  return (
    <div>
      <div role="status" tabIndex={-1}>
        <p>
          <Inline text={sendState ? words.withdrawals[sendState] : words.given} />
        </p>
      </div>
      {(!sendState || sendState === 'refused') && (
        <button ref={passFocusOn} className="button plain" type="button" onClick={() => void withdraw()}>
          <ActionLabel text={words.withdraw} />
        </button>
      )}
    </div>
  );
}

const passFocusOn = passFocus((button) => button.previousElementSibling);
