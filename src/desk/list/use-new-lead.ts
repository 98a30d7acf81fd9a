import { useState } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskReceived } from '../../content/desk-received.ts';
import { deskNew as words } from '../../content/desk-new.ts';
import { fieldWords } from '../../content/fields.ts';
import { faultOf } from '../../content/field-failures.ts';
import { FIELDS, type Field } from '../../lead/fields.ts';
import { newId, type Quote } from '../../lead/quote.ts';
import type { Origin } from '../../lead/vocabulary.ts';
import type { ReceivedRow } from '../../lead/rows.ts';
import { readFieldText } from '../../lead/field-text.ts';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import { withPlaceholders, writeDraft } from '../answer/drafts.ts';
import { take } from '../api/lead-changes.ts';
import { readLead } from '../api/lead-feed.ts';
import { assignMessage, isAssignable } from '../api/received.ts';
import { storeQuote } from '../api/quotes.ts';
import { RequestError } from '../api/request-error.ts';
import type { Lead } from '../lead/lead.ts';
import { useBusy } from '../use-busy.ts';
import { folioIn, putOnFile, type Pasted } from './paste-message.ts';
import { loadReceived } from './received.ts';
import { readMessage } from '../../lead/read-message.ts';

/** Required fields of a lead that a colleague records. */
export const NEEDED: readonly Field[] = ['nombre', 'telefono'];

type Texts = Partial<Record<Field, string>>;

interface NewLead {
  /** Id of the lead, which stays the same for each attempt to store the lead. */
  readonly id: string;
  readonly message: string;
  readonly texts: Texts;
  /** Values found in the message. If a field has a different text, the person has typed it. */
  readonly found: Texts;
  readonly origin: Origin;
}

const nothing = (): NewLead => ({ id: newId(), message: '', texts: {}, found: {}, origin: 'llamada' });

/** Makes a lead from a received message: the values in its text, and its sender. */
function ofReceived({ channel, sender, sender_name, body }: ReceivedRow): NewLead {
  const found = readMessage(body);
  const contact: Texts = {
    [channel === 'correo' ? 'email' : 'telefono']: sender,
    ...(sender_name && { nombre: sender_name }),
  };
  return { id: newId(), message: body, texts: { ...found, ...contact }, found, origin: channel };
}

export function useNewLead(me: string, onOpen: (lead: Lead, text: Text) => void, received?: ReceivedRow) {
  const [lead, setLead, end] = useDialogDraft(
    received ? `received ${received.id}` : 'new',
    received ? () => ofReceived(received) : nothing,
  );
  const [notice, setNotice] = useState<Text>();
  const [busy, runOnce] = useBusy();
  // A received message becomes a new lead, even if its text names the folio of another one.
  const folio = received ? undefined : folioIn(lead.message);

  function read(message: string) {
    const found = readMessage(message);
    // Values that the person has typed stay; values found in an earlier message are replaced.
    const isTyped = ([field, value]: [string, string]) => value.trim() && value !== lead.found[field as Field];
    const typed = Object.fromEntries(Object.entries(lead.texts).filter(isTyped));
    setLead({ ...lead, message, texts: { ...found, ...typed }, found });
    setNotice(Object.keys(found).length > 0 && (received || !folioIn(message)) ? words.proposed : undefined);
  }

  const work = (save: () => Promise<void>) =>
    runOnce(() => {
      setNotice(undefined);
      return save();
    });

  async function register() {
    const pasted = await putOnFile(lead.message);
    if (!('lead' in pasted)) return setNotice(faultOfPasted(pasted.kind));
    end();
    return onOpen(pasted.lead, words[pasted.kind](pasted.lead.folio));
  }

  async function store() {
    const { id, texts, origin } = lead;
    const values: Record<string, string | number> = {};
    for (const field of FIELDS) {
      const text = texts[field] ?? '';
      if (!text.trim() && !NEEDED.includes(field)) continue;
      const found = readFieldText(field, text);
      if ('failure' in found) return setNotice(faultOf(field, text));
      if (found.value !== undefined) values[field] = found.value;
    }
    try {
      if (received && !(await isAssignable(received.id, id))) return setNotice(deskReceived.handled);
      const isNew = await storeQuote({ ...values, id } as unknown as Quote, { origin });
      const stored = await readLead(id);
      if (!stored) throw new RequestError('refused', '', 'The lead cannot be read');
      await take(stored, me);
      // An earlier attempt may have stored the lead, although its response was lost. Values that were changed since
      // then go into a note.
      const changed = isNew ? [] : FIELDS.filter((field) => field in values && values[field] !== stored[field]);
      const note = changed.map((field) => `${mainWords(fieldWords[field].label)}: ${texts[field]}`).join('\n');
      const assigned = received && (await assignMessage(received.id, id));
      if (assigned && assigned.kind !== 'done') return setNotice(assigned.says);
      if (received) await loadReceived().catch(() => undefined);
      if (note) writeDraft(id, me, { note: withPlaceholders(note, stored), noteId: newId() });
      const taken = await readLead(id);
      end();
      onOpen(taken ?? stored, note ? words.storedBefore(stored.folio) : words.stored(stored.folio));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const refused = error.code === '23505' ? words.repeated : deskFailures.failed;
      setNotice(error.kind === 'unreachable' ? deskFailures.notDone : refused);
    }
  }

  return {
    lead,
    folio,
    notice,
    busy,
    isBegun: Boolean(lead.message || Object.values(lead.texts).some(Boolean)),
    read,
    write: (field: Field, value: string) => setLead({ ...lead, texts: { ...lead.texts, [field]: value } }),
    setOrigin: (origin: Origin) => setLead({ ...lead, origin }),
    save: () => void work(folio ? register : store),
    clear: () => {
      end();
      setNotice(undefined);
    },
  };
}

function faultOfPasted(kind: Exclude<Pasted['kind'], 'stored' | 'known'>): Text {
  switch (kind) {
    case 'unread':
      return words.unread;
    case 'repeated':
      return words.repeated;
    case 'unreachable':
      return deskFailures.unreachable;
    case 'refused':
      return deskFailures.failed;
  }
}
