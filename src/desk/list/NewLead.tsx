import { useId, useRef } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskNew as words } from '../../content/desk-new.ts';
import { fieldWords, type FieldWords } from '../../content/fields.ts';
import { fields, FIELDS, type Field as Name } from '../../lead/fields.ts';
import type { ReceivedRow } from '../../lead/rows.ts';
import { ORIGINS, type Origin } from '../../lead/vocabulary.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { useDesk } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import styles from './NewLead.module.css';
import { NEEDED, useNewLead } from './use-new-lead.ts';

/**
 * Channels that a colleague can choose when recording a lead. Leads from the page's form or an imported file are not
 * recorded by hand.
 */
const WAYS = ORIGINS.filter((origin) => origin !== 'formulario' && origin !== 'importada');

interface Props {
  /** Received message from which the lead is made; without one, the person may paste a message. */
  readonly received?: ReceivedRow;
  readonly onClose: () => void;
  readonly onOpen: (lead: Lead, text: Text) => void;
  /** Opens the import of leads from a file; missing when the lead is made from a received message. */
  readonly onImport?: () => void;
}

/** Form that records a lead from a call or a message. A pasted message fills in the fields. */
export function NewLead({ received, onClose, onOpen, onImport }: Props) {
  const { me } = useDesk();
  const { lead, folio, notice, busy, isBegun, read, write, setOrigin, save, clear } = useNewLead(
    me.id,
    onOpen,
    received,
  );
  const message = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button
            words={folio ? words.register : words.send}
            quiet={false}
            aria-busy={busy}
            type="submit"
            form={form}
          />
          {onImport && !isBegun && <Button words={words.importFile} onClick={onImport} />}
          {isBegun && (
            <Button
              words={words.clear}
              onClick={() => {
                clear();
                message.current!.focus();
              }}
            />
          )}
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Bilingual text={words.what} />
        <textarea
          ref={message}
          className={styles['message']}
          rows={4}
          value={lead.message}
          aria-label={mainWords(words.message)}
          placeholder={mainWords(words.message)}
          onChange={(event) => read(event.target.value)}
        />
        <div role="status">{folio && <Bilingual text={words.hasCode(folio)} />}</div>
        <div role="alert">{notice && <Bilingual text={notice} />}</div>
        {!folio && (
          <div className={styles['fields']}>
            {FIELDS.map((field) => (
              <NewField key={field} field={field} value={lead.texts[field] ?? ''} onWrite={write} />
            ))}
            <Select
              label={words.origin}
              value={lead.origin}
              options={WAYS.map((each) => [each, mainWords(words.origins[each])])}
              onChange={(origin) => setOrigin(origin as Origin)}
            />
          </div>
        )}
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly field: Name;
  readonly value: string;
  readonly onWrite: (field: Name, value: string) => void;
}

function NewField({ field, value, onWrite }: FieldProps) {
  const { label, choices }: FieldWords = fieldWords[field];
  const { longest, input } = fields[field];
  if (choices)
    return (
      <Select
        label={label}
        value={value}
        options={[
          ['', mainWords(words.unknown)],
          ...Object.entries(choices).map(([choice, name]) => [choice, mainWords(name)] as const),
        ]}
        onChange={(choice) => onWrite(field, choice)}
      />
    );
  return (
    <TextField
      label={label}
      type={input?.type}
      inputMode={input?.inputMode}
      most={longest}
      required={NEEDED.includes(field)}
      value={value}
      onChange={(text) => onWrite(field, text)}
    />
  );
}
