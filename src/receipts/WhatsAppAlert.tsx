import { useEffect, useState } from 'react';
import { config } from '../config.ts';
import { whatsAppAlerts as words } from '../content/whatsapp-alerts.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { toast } from '../notices/toasts.ts';
import { fetchWays, type CustomerWays } from '../outbox/customer-ways.ts';
import type { Entry } from '../outbox/entry.ts';
import { persisted } from '../phone/persisted.ts';
import { Inline } from '../ui/Inline.tsx';
import { useOnline } from '../ui/use-online.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { storeMessage } from './send-message.ts';

/**
 * True if the server could send WhatsApp messages at the last request. The value is stored, so that receipts show the
 * button even without signal.
 */
const isOffered = persisted('aeropuente.whatsapp', (stored) => stored === true || undefined);

interface Props {
  readonly entry: Entry;
  readonly quote: Quote;
}

/** Button that allows or stops WhatsApp messages about the quote. Empty if the server does not send by WhatsApp. */
export function WhatsAppAlert({ entry: { id, state, messages }, quote }: Props) {
  const isOnline = useOnline();
  const isDelivered = state.kind === 'delivered';
  const last = messages.findLast(({ kind }) => kind === 'whatsapp' || kind === 'sinwhatsapp');
  const sendState = last?.state.kind;
  const asked = last?.kind === 'whatsapp';
  const settled = sendState === 'delivered' ? last!.id : '';
  const [read, setRead] = useState<CustomerWays & { readonly after: string }>();

  useEffect(() => {
    let isUnmounted = false;
    const look = async () => {
      const ways = await fetchWays(id);
      if (!ways || isUnmounted) return;
      isOffered.set(ways.whatsapp || undefined);
      setRead({ ...ways, after: settled });
    };
    if (isOnline && isDelivered) look().catch(() => undefined);
    return () => void (isUnmounted = true);
  }, [id, settled, isOnline, isDelivered]);

  if (!(read?.whatsapp ?? isOffered.get()) && !last) return null;
  // Choice stored on the server. It may be newer than this phone's: from another phone, or from a message with the word
  // BAJA.
  const known = read?.after === settled ? read.wanted : undefined;
  const wanted = sendState === 'waiting' ? asked : (known ?? (sendState === 'delivered' && asked));
  const hasChosen = last !== undefined || typeof known === 'boolean';

  async function choose() {
    const kind = wanted ? 'sinwhatsapp' : 'whatsapp';
    await storeMessage(id, { id: newId(), kind }).catch(() => toast(words.notKept, { type: 'error', about: id }));
  }

  const spoken = wanted ? words.wanted : words.stopped;
  return (
    <div>
      <div role="status">
        {hasChosen && (
          <p>
            <Inline text={sendState === 'refused' ? words.refused : spoken[sendState ?? 'delivered']} />
          </p>
        )}
      </div>
      <button className="button plain" type="button" onClick={({ detail }) => detail < 2 && void choose()}>
        <ActionLabel text={wanted ? words.off : words.offer} />
      </button>
      {!wanted && (
        <p>
          <Inline text={words.consent(config.company.name, quote.telefono)} />
        </p>
      )}
    </div>
  );
}
