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

/** Fields that SheetHead shows. */
const IN_HEAD = new Set(['nombre', 'email', 'telefono']);

interface Props {
  readonly lead: Lead;
  readonly conversation: ConversationRead | undefined;
}

/** Facts of a request that SheetHead does not show. */
export function LeadFacts({ lead, conversation }: Props) {
  const { now } = useDesk();
  const shipped = conversation?.details;
  const when = (at: string) => mainWords(dateInWords(Date.parse(at), now));
  const received = [
    when(lead.created_at),
    lead.origen !== 'formulario' && mainWords(deskNew.origins[lead.origen]),
    lead.entregada && mainWords(words.recovered),
  ];
  const own: readonly (readonly [label: Text, value: ReactNode])[] = [
    [words.shipment, lead.embarque && `${lead.embarque.toLocaleString('es-MX')}\u00a0kg`],
    [words.received, received.filter(Boolean).join(' · ')],
    [words.due, lead.open && when(lead.due_at)],
    [words.replaces, lead.reemplaza && <Other lead={conversation?.replaces} folio={lead.reemplaza} />],
    [words.sameAs, lead.igual && <Other lead={conversation?.sameAs} folio={lead.igual} />],
    [words.replacedBy, lead.replaced_by && <Other lead={conversation?.replacedBy} folio="…" />],
  ];
  const accepted = isToBook(lead) ? '' : acceptedOf(lead, now);
  return (
    <>
      {accepted && (
        <p className={styles['accepted']}>
          <b>{mainWords(words.booking.accepted(accepted))}</b>
          {lead.accepted_state && ` · ${mainWords(deskConversation.states[lead.accepted_state])}`}
          {lead.accepted_reference && (
            <>
              {' · '}
              <span className={styles['reference']}>{lead.accepted_reference}</span>
            </>
          )}
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
        {own.map(
          ([label, value]) =>
            value && (
              <Fact key={mainWords(label)} label={label} own>
                {value}
              </Fact>
            ),
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
            {when(shipped.pressed_at)}
          </Fact>
        </dl>
      )}
    </>
  );
}

function Other({ lead, folio }: { readonly lead: Lead | undefined; readonly folio: string }) {
  const { open } = useDesk();
  if (!lead) return folio;
  return (
    <LinkButton onClick={() => open(lead)} translate="no">
      {lead.folio}
    </LinkButton>
  );
}

interface FactProps {
  readonly label: Text;
  /**
   * True for a value in the desk's own words, which the browser may translate. Texts of the exporter are not
   * translated.
   */
  readonly own?: boolean;
  readonly children: ReactNode;
}

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
