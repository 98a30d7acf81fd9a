import { acceptedOfferOf, oneRecordOf } from '../../lead/one-record.ts';
import type { Details } from '../../lead/details.ts';
import type { AnswerRow, OfferRow } from '../../lead/rows.ts';
import { download } from '../../ui/download.ts';
import { readLeadShipment } from '../api/shipments.ts';
import type { Lead } from '../lead/lead.ts';

/** Saves an accepted offer as IATA's ONE Record, with the flight if it is booked. */
export async function saveOneRecord(lead: Lead, answer: AnswerRow, offer: OfferRow, details: Details): Promise<void> {
  const row = await readLeadShipment(lead.quote_id);
  const shipment = row?.answer_id === answer.id ? row.shipment : undefined;
  // A shipment proves that the offer is booked, even if the offer on the screen was read before the booking.
  const state = shipment ? 'reservada' : offer.state;
  const accepted = acceptedOfferOf(lead, answer, { state }, { details, shipment, contact: lead });
  if (!accepted) return;
  const text = JSON.stringify(oneRecordOf(accepted), null, 2);
  download(`${lead.folio}.jsonld`, 'application/ld+json', [text]);
}
