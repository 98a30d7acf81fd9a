import type { ReactNode } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import type { Word } from '../api/conversation.ts';
import { useDesk } from '../context.ts';
import { ContactLinks } from './ContactWays.tsx';
import { cargoOf, clockOf, initialsOf, kilosOf, ownerOf, standingOf, type Lead } from './lead.ts';
import styles from './SheetHead.module.css';

interface Props {
  readonly lead: Lead;
  /** Last answer to the customer, which the message of the contact links repeats. */
  readonly answer: (Word & { kind: 'answer' }) | undefined;
  readonly link: string | undefined;
  readonly onWhatsApp: (() => void) | undefined;
  readonly children: ReactNode;
}

export function SheetHead({ lead, answer, link, onWhatsApp, children }: Props) {
  const { me, now } = useDesk();
  const clock = clockOf(lead, now);
  const standing = standingOf(lead);
  const owner = ownerOf(lead, me.id);
  const line = [lead.empresa, cargoOf(lead), lead.peso === null ? '' : mainWords(kilosOf(lead))].filter(Boolean);
  return (
    <header className={styles['head']} data-tone={standing.tone === 'accepted' ? 'done' : clock.tone}>
      <div className={styles['title']}>
        <p className={styles['folio']} translate="no">
          {lead.folio}
        </p>
        <h2 id="lead" tabIndex={-1} translate="no" dir="auto">
          {lead.nombre}
        </h2>
        <p className={styles['line']} translate="no">
          {line.join(' · ')}
        </p>
      </div>
      <div className={styles['state']}>
        <p className={styles['pill']} data-tone={standing.tone}>
          {mainWords(standing.words)}
          {lead.lost_reason && ` · ${mainWords(words.lostReasons[lead.lost_reason])}`}
        </p>
        <p className={styles['owner']} title={mainWords(words.owner)}>
          {lead.assignee && (
            <span className={styles['initials']} aria-hidden="true">
              {initialsOf(lead.assignee === me.id ? me.name : owner)}
            </span>
          )}
          <span className="hidden">{mainWords(words.owner)}: </span>
          <span translate="no">{owner}</span>
        </p>
        <p className={styles['clock']}>
          <Bilingual as="span" text={clock.words} />
        </p>
      </div>
      <div className={styles['acts']}>
        {children}
        <ContactLinks lead={lead} answer={answer} link={link} onWhatsApp={onWhatsApp} />
      </div>
    </header>
  );
}
