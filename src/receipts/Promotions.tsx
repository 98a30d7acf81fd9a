import { promotions as words } from '../content/promotions.ts';
import { ofKind } from '../lead/messages.ts';
import { newId } from '../lead/quote.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { ActWords } from './ActWords.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { keepMessage } from './send-message.ts';

/** Consent is as easy to take back as it was to give. */
export function Promotions({ entry: { id, messages } }: { readonly entry: Entry }) {
  const where = ofKind(messages, 'baja').at(-1)?.state.kind;

  async function withdraw() {
    await keepMessage(id, { id: newId(), kind: 'baja' }).catch(() =>
      toast(words.notKept, { type: 'error', about: id }),
    );
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
