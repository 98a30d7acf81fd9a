import { readDetails } from '../../src/lead/details.ts';
import { acceptedOfferOf, oneRecordOf, type AcceptedOffer } from '../../src/lead/one-record.ts';
import { readAnswerRow, type LeadRow } from '../../src/lead/rows.ts';
import { readShipmentRow } from '../../src/lead/shipment-row.ts';
import type { WebhookEvent } from '../../src/lead/vocabulary.ts';

/** Rows of private.webhook_offer. */
type Rows = Pick<LeadRow, 'folio' | 'tipo_carga'> & {
  readonly answer: unknown;
  readonly details: unknown;
  readonly shipment: unknown;
  readonly contact: AcceptedOffer['contact'] | null;
};

/** Returns the body with the accepted offer as `data.one_record`, or unchanged if `rows` has no offer. */
export function withOneRecord(body: string, event: WebhookEvent, rows: unknown): string {
  if (!rows) return body;
  const { answer: row, details, shipment, contact, ...lead } = rows as Rows;
  const answer = readAnswerRow(row);
  const state = event === 'offer.accepted' ? 'aceptada' : 'reservada';
  const offer =
    answer &&
    acceptedOfferOf(
      lead,
      answer,
      { state },
      {
        details: readDetails(details),
        shipment: readShipmentRow(shipment)?.shipment,
        contact: contact ?? undefined,
      },
    );
  if (!offer) return body;
  const { data, ...rest } = JSON.parse(body) as { data: object };
  return JSON.stringify({ ...rest, data: { ...data, one_record: oneRecordOf(offer) } });
}
