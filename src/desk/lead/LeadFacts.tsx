import type { ReactNode } from 'react';
import { englishWords, mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskConversation } from '../../content/desk-conversation.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { details, detailsInWords } from '../../content/details.ts';
import { deskNew } from '../../content/desk-new.ts';
import { fieldWords } from '../../content/fields.ts';
import { fields, FIELDS } from '../../lead/fields.ts';
import { LinkButton } from '../../ui/Button.tsx';
import type { ConversationRead } from '../api/conversation.ts';
import { useDesk } from '../context.ts';
import { fieldInWords, isOurs, isToBook, type Lead } from './lead.ts';
import styles from './LeadFacts.module.css';
import { acceptedOf } from './offer.ts';

/** Shown in the head of the sheet. */
const IN_HEAD = new Set(['nombre', 'email', 'telefono']);

interface Props {
  readonly lead: Lead;
  readonly conversation: ConversationRead | undefined;
}

/** Everything that is known of a request beside what its head says. */
export function LeadFacts({ lead, conversation }: Props) {
  const { now } = useDesk();
  const shipped = conversation?.details;
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
            <Other lead={conversation?.replaces} folio={lead.reemplaza} />
          </Fact>
        )}
        {lead.igual && (
          <Fact label={words.sameAs} own>
            <Other lead={conversation?.sameAs} folio={lead.igual} />
          </Fact>
        )}
        {lead.replaced_by && (
          <Fact label={words.replacedBy} own>
            <Other lead={conversation?.replacedBy} folio={conversation?.replacedBy?.folio ?? '…'} />
          </Fact>
        )}
      </dl>
      {shipped && (
        <dl className={styles['boxes']} aria-label={mainWords(details.title)}>
          {detailsInWords(shipped.details, now, lead).map(({ label, value, theirs }) => (
            <Fact key={mainWords(label)} label={label} own={!theirs}>
              {value}
            </Fact>
          ))}
          <Fact label={details.title} own>
            {mainWords(dateInWords(Date.parse(shipped.pressed_at), now))}
          </Fact>
        </dl>
      )}
    </>
  );
}

interface OtherProps {
  readonly lead: Lead | undefined;
  readonly folio: string;
}

function Other({ lead, folio }: OtherProps) {
  const { open } = useDesk();
  if (!lead) return folio;
  return (
    <LinkButton onClick={() => open(lead)} translate="no">
      {folio}
    </LinkButton>
  );
}

interface FactProps {
  readonly label: Text;
  /** The value is in our words, not in the exporter's. */
  readonly own?: boolean;
  readonly children: ReactNode;
}

/** Fact of a request, in a box of its own. */
function Fact({ label, own = false, children }: FactProps) {
  return (
    <div>
      <dt className="label" title={englishWords(label)}>
        {mainWords(label)}
      </dt>
      <dd translate={own ? undefined : 'no'} dir={own ? undefined : 'auto'}>
        {children}
      </dd>
    </div>
  );
}
