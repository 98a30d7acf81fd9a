import type { Bilingual } from '../content/bilingual.ts';
import { messagesOfKind, type MessageKind } from '../lead/messages.ts';
import { newId } from '../lead/quote.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { ActWords } from './ActWords.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { keepMessage } from './send-message.ts';

interface WithdrawalWords {
  readonly given: Bilingual;
  readonly withdraw: Bilingual;
  /** By the state of the message. */
  readonly withdrawals: Readonly<Record<'waiting' | 'delivered' | 'refused', Bilingual>>;
  readonly notKept: Bilingual;
}

interface Props {
  readonly entry: Entry;
  readonly kind: Extract<MessageKind, 'baja' | 'sincorreo'>;
  readonly words: WithdrawalWords;
}

/** Takes back what was agreed to, as easily as it was given: promotions, or mail about the quote. */
export function Withdrawal({ entry: { id, messages }, kind, words }: Props) {
  const where = messagesOfKind(messages, kind).at(-1)?.state.kind;

  async function withdraw() {
    await keepMessage(id, { id: newId(), kind }).catch(() => toast(words.notKept, { type: 'error', about: id }));
  }

  return (
    <div>
      <div role="status" tabIndex={-1}>
        <p>
          <Inline text={where ? words.withdrawals[where] : words.given} />
        </p>
      </div>
      {(!where || where === 'refused') && (
        <button ref={passFocusOn} className="button plain" type="button" onClick={() => void withdraw()}>
          <ActWords text={words.withdraw} />
        </button>
      )}
    </div>
  );
}

const passFocusOn = passFocus((button) => button.previousElementSibling);
