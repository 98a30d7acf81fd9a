import { useRef, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { calls as words } from '../content/desk-calls.ts';
import { desk } from '../content/desk.ts';
import { fieldWords, type FieldWords } from '../content/fields.ts';
import { faultOf } from '../content/field-failures.ts';
import { fields, FIELDS, type Field } from '../lead/fields.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { rowOf } from '../lead/quote-row.ts';
import { ORIGINS, type Origin } from '../lead/vocabulary.ts';
import { readWritten } from '../lead/written.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { NextPaint } from '../ui/NextPaint.tsx';
import { Act, Acts } from './Act.tsx';
import { take } from './actions.ts';
import { backend, rows, Trouble } from './backend.ts';
import { Dialog } from './Dialog.tsx';
import { withPlaceholders, writeDraft } from './drafts.ts';
import { Labelled } from './Labelled.tsx';
import type { Lead } from './lead.ts';
import { readLead } from './leads.ts';
import styles from './Paste.module.css';
import { readMessage } from './read-message.ts';
import { useUnfinished } from './unfinished.ts';

const NEEDED: readonly Field[] = ['nombre', 'telefono'];
/** A lead of the page comes from the page. */
const WAYS = ORIGINS.filter((origin) => origin !== 'formulario');

interface Unfinished {
  /** Of the lead, however often it is sent. */
  readonly id: string;
  readonly message: string;
  readonly written: Partial<Record<Field, string>>;
  /** What of it was read from a message, and nobody has typed. */
  readonly found?: Partial<Record<Field, string>>;
  readonly origin: Origin;
}

const nothing = (): Unfinished => ({ id: newId(), message: '', written: {}, origin: 'llamada' });

interface Props {
  readonly me: string;
  readonly onClose: () => void;
  readonly onOpen: (lead: Lead, says: Text) => void;
}

/** A lead of a call or a message, whose clock starts as any other's. */
export function NewLead({ me, onClose, onOpen }: Props) {
  const [lead, setLead, end] = useUnfinished('new', nothing);
  const { id, message, written, origin } = lead;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const [says, setSays] = useState<Text>();
  const [busy, setBusy] = useState(false);
  const write = (field: Field, value: string) => setLead({ ...lead, written: { ...written, [field]: value } });

  function read() {
    const found = readMessage(message);
    // What somebody has typed is better than what was read; what was read of another message makes way.
    const isTyped = ([field, value]: [string, string]) => value.trim() && value !== lead.found?.[field as Field];
    const typed = Object.fromEntries(Object.entries(written).filter(isTyped));
    setLead({ ...lead, written: { ...found, ...typed }, found });
    setSays(Object.keys(found).length > 0 ? words.proposed : words.nothing);
  }

  async function save() {
    if (busy) return;
    const values: Record<string, string | number> = { id };
    for (const field of FIELDS) {
      const text = written[field] ?? '';
      if (!text.trim() && !NEEDED.includes(field)) continue;
      const found = readWritten(field, text);
      if ('failure' in found) return setSays(faultOf(field, text));
      if (found.value !== undefined) values[field] = found.value;
    }
    setBusy(true);
    try {
      const stored = await rows(
        backend
          .from('quotes')
          .upsert(
            { ...rowOf(values as unknown as Quote), origen: origin },
            { onConflict: 'id', ignoreDuplicates: true },
          )
          .select('id'),
      );
      const kept = await readLead(id);
      if (!kept) throw new Trouble('refused', '', 'The lead cannot be read');
      await take(kept, me);
      // Its first version had arrived, and the word of it was lost.
      const changed =
        stored.length > 0 ? [] : FIELDS.filter((field) => field in values && values[field] !== kept[field]);
      const note = changed.map((field) => `${mainWords(fieldWords[field].label)}: ${written[field]}`).join('\n');
      if (note) writeDraft(id, me, { note: withPlaceholders(note, kept), noteId: newId() });
      const { folio } = kept;
      const taken = await readLead(id);
      end();
      onOpen(taken ?? kept, note ? words.storedBefore(folio) : desk.paste.stored(folio));
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      const refused = error.code === '23505' ? desk.paste.repeated : desk.failed;
      setSays(error.kind === 'unreachable' ? desk.notDone : refused);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <Bilingual text={words.what} />
      <textarea
        ref={textarea}
        className={styles['message']}
        rows={4}
        value={message}
        aria-label={mainWords(words.message)}
        placeholder={mainWords(words.message)}
        onChange={(event) => setLead({ ...lead, message: event.target.value })}
      />
      <Acts>
        <Act words={words.read} disabled={!message.trim()} onClick={read} />
        {(message || Object.values(written).some(Boolean)) && (
          <Act
            words={words.anew}
            onClick={() => {
              end();
              setSays(undefined);
              textarea.current?.focus();
            }}
          />
        )}
      </Acts>
      <NextPaint>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Labelled label={words.origin}>
            <select value={origin} onChange={(event) => setLead({ ...lead, origin: event.target.value as Origin })}>
              {WAYS.map((each) => (
                <option key={each} value={each}>
                  {mainWords(words.origins[each])}
                </option>
              ))}
            </select>
          </Labelled>
          <div className={styles['fields']}>
            {FIELDS.map((field) => (
              <NewField key={field} field={field} value={written[field] ?? ''} onWrite={write} />
            ))}
          </div>
          <div role="alert" className={styles['wrong']}>
            {says && <Bilingual text={says} />}
          </div>
          <Act words={words.send} quiet={false} type="submit" aria-busy={busy} />
        </form>
      </NextPaint>
    </Dialog>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly onWrite: (field: Field, value: string) => void;
}

function NewField({ field, value, onWrite }: FieldProps) {
  const { label, choices }: FieldWords = fieldWords[field];
  const { longest, input } = fields[field];
  return (
    <Labelled label={label}>
      {choices ? (
        <select value={value} onChange={(event) => onWrite(field, event.target.value)}>
          <option value="">{mainWords(desk.unknown)}</option>
          {Object.entries(choices).map(([choice, said]) => (
            <option key={choice} value={choice}>
              {mainWords(said)}
            </option>
          ))}
        </select>
      ) : (
        <input
          type={input?.type}
          inputMode={input?.inputMode}
          autoComplete="off"
          maxLength={longest}
          required={NEEDED.includes(field)}
          value={value}
          onChange={(event) => onWrite(field, event.target.value)}
        />
      )}
    </Labelled>
  );
}
