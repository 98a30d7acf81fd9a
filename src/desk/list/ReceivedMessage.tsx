import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskReceived as words } from '../../content/desk-received.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import type { WaitingMessage } from '../api/received.ts';
import { useDesk } from '../context.ts';
import styles from './Received.module.css';

interface Props {
  readonly message: WaitingMessage;
  readonly isDiscarded: boolean;
  /** True after the person has pressed 'Deshacer': the focus then returns to the discard button. */
  readonly isBack: boolean;
  readonly isBusy: boolean;
  readonly onAssign: (quoteId: string) => void;
  readonly onFolio: (typed: string) => void;
  readonly onRegister: () => void;
  readonly onDiscard: (isDiscarded: boolean) => void;
}

export function ReceivedMessage({
  message,
  isDiscarded,
  isBack,
  isBusy,
  onAssign,
  onFolio,
  onRegister,
  onDiscard,
}: Props) {
  const { now } = useDesk();
  const [folio, setFolio] = useState('');
  const { channel, sender, sender_name, body, whole, received_at, unproven, unstored_files, more, files } = message;
  if (isDiscarded)
    return (
      <li>
        <p className={styles['head']}>
          {mainWords(words.discarded)} {sender_name ?? sender}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the undo button replaces the button that was pressed */}
        <Button autoFocus words={words.undo} aria-busy={isBusy} onClick={() => onDiscard(false)} />
      </li>
    );
  const notes = [
    files.length > 0 && words.files(files.join(', ')),
    unstored_files > 0 && words.unstored(unstored_files, channel),
    more > 0 && words.more(more, channel),
  ].flatMap((note) => note || []);
  return (
    <li aria-busy={isBusy}>
      <p className={styles['head']}>
        <time>{mainWords(dateInWords(Date.parse(received_at), now))}</time> {mainWords(words.channels[channel])} ·{' '}
        <b translate="no" dir="auto">
          {[sender_name, sender].filter(Boolean).join(' · ')}
        </b>
        {unproven && <em> · {mainWords(words.unproven)}</em>}
      </p>
      <p className={styles['body']} translate="no" dir="auto">
        {body}
      </p>
      {whole && (
        <details>
          <summary>{mainWords(words.whole)}</summary>
          <p className={styles['body']} translate="no" dir="auto">
            {whole}
          </p>
        </details>
      )}
      {notes.map((note) => (
        <p key={mainWords(note)} className={styles['head']}>
          {mainWords(note)}
        </p>
      ))}
      <ul className={styles['suggestions']}>
        {message.suggestions.map((lead) => (
          <li key={lead.quote_id}>
            <span>
              <b>{lead.folio}</b>{' '}
              <span translate="no" dir="auto">
                {[lead.nombre, lead.empresa].filter(Boolean).join(' · ')}
              </span>{' '}
              · {mainWords(dateInWords(Date.parse(lead.created_at), now))} · {mainWords(deskLead.status[lead.status])}
              {lead.is_named && ` · ${mainWords(words.named)}`}
            </span>
            <Button
              words={words.assign}
              aria-label={mainWords(words.assignTo(lead.folio))}
              onClick={() => onAssign(lead.quote_id)}
            />
          </li>
        ))}
      </ul>
      <form
        className={styles['actions']}
        onSubmit={(event) => {
          event.preventDefault();
          onFolio(folio);
        }}
      >
        <TextField label={words.folio} most={20} value={folio} onChange={setFolio} />
        <Button words={words.assign} type="submit" disabled={!folio.trim()} />
        <Button words={words.register} onClick={onRegister} />
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the discard button takes the place of the undo button that was pressed */}
        <Button autoFocus={isBack} words={words.discard} onClick={() => onDiscard(true)} />
      </form>
    </li>
  );
}
