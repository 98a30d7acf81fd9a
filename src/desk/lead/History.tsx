import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskConversation } from '../../content/desk-conversation.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskHistory as words } from '../../content/desk-history.ts';
import { dateInWords } from '../../content/dates.ts';
import type { HistoryRow } from '../../lead/rows.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { readHistory } from '../api/history.ts';
import { announceResult } from '../announcements.ts';
import { useAct, useDesk, useRead } from '../context.ts';
import { SheetSection } from '../SheetSection.tsx';
import { canJoin, join } from './join-requests.ts';
import styles from './History.module.css';
import type { Lead } from './lead.ts';
import { fetchLead } from '../api/lead-feed.ts';
import { offerOf } from './offer.ts';

/** Other requests of the same customer, with their offers and outcomes. */
export function History({ lead }: { readonly lead: Lead }) {
  const { me, now, open } = useDesk();
  const { value: history = [], readAgain } = useRead(`${lead.version}`, () => readHistory(lead.quote_id));
  const [asked, setAsked] = useState<string>();
  const [busy, act] = useAct(lead);
  if (history.length === 0) return null;

  async function save(other: HistoryRow) {
    const result = await act(() => join(other, lead), words.joined);
    if (result?.kind !== 'unreachable') setAsked(undefined);
    readAgain();
  }

  return (
    <SheetSection title={words.title}>
      <ul>
        {history.map((other) => (
          <li key={other.quote_id}>
            <div className={styles['line']}>
              <LinkButton
                translate="no"
                onClick={() =>
                  void fetchLead(other.quote_id).then((found) =>
                    found ? open(found) : announceResult(lead, { kind: 'unreachable', says: deskFailures.unreachable }),
                  )
                }
              >
                {other.folio}
              </LinkButton>
              <p>
                {mainWords(dateInWords(Date.parse(other.created_at), now))} ·{' '}
                <ErrorBoundary otherwise={mainWords(deskFailures.unshown)}>
                  <Became other={other} lead={lead} />
                </ErrorBoundary>
              </p>
              {asked !== other.quote_id && canJoin(other, lead, me.id) && (
                <Button
                  words={words.join}
                  aria-label={`${mainWords(words.join)}: ${other.folio}`}
                  onClick={() => setAsked(other.quote_id)}
                />
              )}
            </div>
            {asked === other.quote_id && (
              <Confirm
                question={words.sure(other.folio)}
                yes={words.join}
                busy={busy}
                onYes={() => void save(other)}
                onNo={() => setAsked(undefined)}
              />
            )}
          </li>
        ))}
      </ul>
    </SheetSection>
  );
}

/** Outcome of another request of the customer: 'US $4.10 por kilo · vencida · perdida · precio'. */
function Became({ other, lead }: { readonly other: HistoryRow; readonly lead: Lead }) {
  const { now } = useDesk();
  const { status, state, accepted_state, lost_reason, replaced_by } = other;
  const stands =
    replaced_by === lead.quote_id
      ? words.joinedHere
      : replaced_by
        ? deskLead.standing.replaced
        : deskLead.status[status];
  const offer = accepted_state ?? state;
  return [
    offerOf(other, now) || mainWords(words.noPrice),
    offer && mainWords(deskConversation.states[offer]),
    mainWords(stands).toLowerCase(),
    lost_reason && mainWords(deskLead.lostReasons[lost_reason]),
  ]
    .filter(Boolean)
    .join(' · ');
}
