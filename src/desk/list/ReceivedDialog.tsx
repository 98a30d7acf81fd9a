import { useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskReceived as words } from '../../content/desk-received.ts';
import { readFolio } from '../../lead/folio.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useStore } from '../../ui/store.ts';
import type { ActionResult } from '../api/action-result.ts';
import { fetchLead, findByFolio } from '../api/lead-feed.ts';
import { RequestError } from '../api/request-error.ts';
import { assignMessage, setDiscarded, withSuggestions, type WaitingMessage } from '../api/received.ts';
import { useRead } from '../context.ts';
import { useBusy } from '../use-busy.ts';
import type { Lead } from '../lead/lead.ts';
import { NewLead } from './NewLead.tsx';
import { loadReceived, received } from './received.ts';
import { ReceivedMessage } from './ReceivedMessage.tsx';
import styles from './Received.module.css';

interface Props {
  readonly onClose: () => void;
  readonly onOpen: (lead: Lead, text: Text) => void;
}

/**
 * Received messages that belong to no quote request yet. A colleague assigns each to a request, makes a request of it,
 * or discards it.
 */
export function ReceivedDialog({ onClose, onOpen }: Props) {
  const waiting = useStore(received);
  const { value: messages, hasFailed } = useRead(waiting.map(({ id }) => id).join(), () => withSuggestions(waiting));
  // Messages discarded in this dialog. They stay visible so that the person can undo.
  const [discarded, setDiscards] = useState<readonly WaitingMessage[]>([]);
  const [backId, setBackId] = useState<string>();
  const [registered, setRegistered] = useState<WaitingMessage>();
  const [fault, setFault] = useState<Text>();
  const [busy, runOnce] = useBusy();

  async function act(work: () => Promise<ActionResult>): Promise<boolean> {
    const result = await runOnce(() => {
      setFault(undefined);
      return work();
    });
    if (!result) return false;
    if (result.kind !== 'done') setFault(result.says);
    await loadReceived().catch(() => undefined);
    return result.kind === 'done';
  }

  async function assign(message: WaitingMessage, quoteId: string): Promise<void> {
    if (!(await act(() => assignMessage(message.id, quoteId)))) return;
    const lead = await fetchLead(quoteId).catch(() => undefined);
    if (lead) onOpen(lead, words.assigned(lead.folio));
  }

  async function assignByFolio(message: WaitingMessage, typed: string): Promise<void> {
    const folio = readFolio(typed);
    if (!folio) return setFault(words.badFolio);
    try {
      const lead = await findByFolio(folio);
      if (lead) await assign(message, lead.quote_id);
      else setFault(words.unknownFolio);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setFault(deskFailures.notDone);
    }
    return undefined;
  }

  async function discard(message: WaitingMessage, isDiscarded: boolean): Promise<void> {
    if (!(await act(() => setDiscarded(message.id, isDiscarded)))) return;
    setBackId(isDiscarded ? undefined : message.id);
    setDiscards(isDiscarded ? [...discarded, message] : discarded.filter(({ id }) => id !== message.id));
  }

  if (registered) return <NewLead received={registered} onClose={() => setRegistered(undefined)} onOpen={onOpen} />;

  const shown = [...discarded.filter(({ id }) => !messages?.some((each) => each.id === id)), ...(messages ?? [])];
  const inOrder = shown.toSorted((one, other) => Date.parse(one.received_at) - Date.parse(other.received_at));
  return (
    <Dialog title={words.title} isWide onClose={onClose}>
      <Bilingual text={words.what} />
      <div role="alert">{fault && <Bilingual text={fault} />}</div>
      {messages && inOrder.length === 0 && <Bilingual text={words.none} />}
      {!messages && hasFailed && <Bilingual text={words.notRead} />}
      <ol className={styles['messages']}>
        {inOrder.map((message) => (
          <ReceivedMessage
            key={message.id}
            message={message}
            isDiscarded={discarded.some(({ id }) => id === message.id)}
            isBack={message.id === backId}
            isBusy={busy}
            onAssign={(quoteId) => void assign(message, quoteId)}
            onFolio={(typed) => void assignByFolio(message, typed)}
            onRegister={() => setRegistered(message)}
            onDiscard={(isDiscarded) => void discard(message, isDiscarded)}
          />
        ))}
      </ol>
    </Dialog>
  );
}
