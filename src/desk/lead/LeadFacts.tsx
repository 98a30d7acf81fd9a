import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskConversation } from '../../content/desk-conversation.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { deskNew } from '../../content/desk-new.ts';
import { fieldWords } from '../../content/fields.ts';
import { fields, FIELDS } from '../../lead/fields.ts';
import { LinkButton } from '../../ui/Button.tsx';
import type { ConversationRead } from '../api/conversation.ts';
import { Fact } from './Fact.tsx';
import { fieldInWords, isOurs, isToBook, type Lead } from './lead.ts';
import styles from './LeadFacts.module.css';
import { acceptedOf } from './offer.ts';
import { Shipment } from './Shipment.tsx';

/** Shown in the head of the sheet. */
const IN_HEAD = new Set(['nombre', 'email', 'telefono']);

interface Props {
  readonly lead: Lead;
  readonly now: number;
  readonly conversation: ConversationRead | undefined;
  readonly onOpen: (lead: Lead) => void;
}

/** Everything that is known of a request beside what its head says. */
export function LeadFacts({ lead, now, conversation, onOpen }: Props) {
  const accepted = isToBook(lead) ? '' : acceptedOf(lead, now);
  return (
    <>
      {accepted && (
        <p className={styles['accepted']}>
          <b>{mainWords(words.booking.accepted(accepted))}</b>
          {lead.accepted_state && ` · ${mainWords(deskConversation.states[lead.accepted_state])}`}
          {lead.accepted_reference && ` · ${lead.accepted_reference}`}
        </p>
      )}
      {(lead.llamada || lead.promociones) && (
        <ul className={styles['marks']}>
          {lead.llamada && <li data-call="">{mainWords(words.wantsCall)}</li>}
          {lead.promociones && <li>{mainWords(words.wantsPromotions)}</li>}
        </ul>
      )}
      <dl className={styles['boxes']} aria-label={mainWords(words.facts)}>
        {FIELDS.filter((field) => !IN_HEAD.has(field) && !(fields[field].optional && lead[field] === undefined)).map(
          (field) => (
            <Fact key={field} label={fieldWords[field].label} own={isOurs(field)}>
              {fieldInWords(lead, field)}
            </Fact>
          ),
        )}
        {lead.embarque && (
          <Fact label={words.shipment} own>
            {`${lead.embarque.toLocaleString('es-MX')}\u00a0kg`}
          </Fact>
        )}
        <Fact label={words.received} own>
          {mainWords(dateInWords(Date.parse(lead.created_at), now))}
          {lead.origen !== 'formulario' && ` · ${mainWords(deskNew.origins[lead.origen])}`}
          {lead.entregada && ` · ${mainWords(words.recovered)}`}
        </Fact>
        {lead.open && (
          <Fact label={words.due} own>
            {mainWords(dateInWords(Date.parse(lead.due_at), now))}
          </Fact>
        )}
        {lead.reemplaza && (
          <Fact label={words.replaces} own>
            <Other lead={conversation?.replaces} folio={lead.reemplaza} onOpen={onOpen} />
          </Fact>
        )}
        {lead.igual && (
          <Fact label={words.sameAs} own>
            <Other lead={conversation?.sameAs} folio={lead.igual} onOpen={onOpen} />
          </Fact>
        )}
        {lead.replaced_by && (
          <Fact label={words.replacedBy} own>
            <Other lead={conversation?.replacedBy} folio={conversation?.replacedBy?.folio ?? '…'} onOpen={onOpen} />
          </Fact>
        )}
      </dl>
      {conversation?.details && (
        <Shipment said={conversation.details} quote={lead} now={now} boxes={styles['boxes']!} />
      )}
    </>
  );
}

interface OtherProps {
  readonly lead: Lead | undefined;
  readonly folio: string;
  readonly onOpen: (lead: Lead) => void;
}

function Other({ lead, folio, onOpen }: OtherProps) {
  if (!lead) return folio;
  return (
    <LinkButton onClick={() => onOpen(lead)} translate="no">
      {folio}
    </LinkButton>
  );
}
