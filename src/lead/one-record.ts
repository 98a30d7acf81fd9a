import { chargeableOf, type Details } from './details.ts';
import { lineTotal, quantityOf, readLines, type Line } from './offer-lines.ts';
import { isAgreed, readPrice, type Price } from './offer.ts';
import type { AnswerRow, LeadRow, OfferRow } from './rows.ts';
import { arrivalOf, instantOf, type Shipment } from './shipment.ts';

// IATA's ONE Record, data model 3.3 of 2026-07 (https://onerecord.iata.org/ns/cargo).

/** Accepted offer, from which desk, command line and webhooks make a ONE Record file. */
export interface AcceptedOffer {
  /**
   * Id of the answer with the offer. The id of the quote is not used, because it is secret: whoever has it can open the
   * quote.
   */
  readonly id: string;
  readonly folio: string;
  readonly at: number;
  readonly price: Price;
  /** Kilos of the shipment; if the price is per kilo, kilos of one month. */
  readonly kilos: number;
  readonly total: number;
  readonly lines?: readonly Line[] | undefined;
  readonly validUntil: string;
  readonly isBooked: boolean;
  readonly cargo: string | null;
  readonly details: Details;
  readonly shipment?: Shipment | undefined;
  /** Contact of the exporter; without a contact the file names no person. */
  readonly contact?: Contact | undefined;
}

interface Contact {
  readonly nombre: string;
  readonly empresa: string | null;
  readonly email: string | null;
  readonly telefono: string;
}

/** Combines the database rows of an accepted offer; undefined if nobody accepted this answer. */
export function acceptedOfferOf(
  lead: Pick<LeadRow, 'folio' | 'tipo_carga'>,
  answer: AnswerRow,
  { state }: Pick<OfferRow, 'state'>,
  rest: Pick<AcceptedOffer, 'details' | 'shipment' | 'contact'>,
): AcceptedOffer | undefined {
  const price = readPrice({ amount: answer.price, currency: answer.currency, per: answer.price_for });
  const { kilos, total, valid_until: validUntil } = answer;
  if (!price || kilos === null || total === null || validUntil === null) return undefined;
  if (!isAgreed(state) || state === 'sinespacio') return undefined;
  return {
    id: answer.id,
    folio: lead.folio,
    at: Date.parse(answer.created_at),
    price,
    kilos,
    total,
    lines: readLines(answer.lines),
    validUntil,
    isBooked: state === 'reservada',
    cargo: lead.tipo_carga,
    ...rest,
  };
}

/**
 * Largest number of pieces in a list. More pieces are only counted, because all have the same
 * description.
 */
const MOST_PIECES = 100;
/**
 * IATA code of each charge, and who receives the money: C is the carrier, A the agent. Freight has a charge type but no
 * code.
 */
const CHARGES: Readonly<Record<Line['kind'], readonly [code: string, due: 'A' | 'C']>> = {
  flete: ['', 'C'],
  combustible: ['MY', 'C'],
  seguridad: ['SC', 'C'],
  manejo: ['FE', 'A'],
  aduana: ['CH', 'A'],
  entrega: ['SA', 'A'],
  otro: ['MA', 'A'],
};
/** Airports whose IATA code differs from the name in use. */
const AIRPORT_CODES: Readonly<Record<string, string>> = { AIFA: 'NLU' };
const GOODS: Readonly<Record<string, string>> = {
  general: 'Carga general',
  perecederos: 'Perecederos',
  especial: 'Carga especial',
};

type Node = Readonly<Record<string, unknown>>;

const link = (id: string) => ({ '@id': `lo:${id}` });
const code = (list: string, value: string) => ({ '@id': `cl:${list}#${value}` });
const fixed = (value: string) => ({ '@id': `cargo:${value}` });
const double = (value: number) => ({ '@type': 'xsd:double', '@value': String(value) });
const integer = (value: number) => ({ '@type': 'xsd:integer', '@value': String(value) });
const time = (at: number | undefined) =>
  at !== undefined && { '@type': 'xsd:dateTime', '@value': new Date(at).toISOString() };
const measure = (value: number | undefined, unit: string) =>
  value !== undefined && node('Value', { numericalValue: double(value), unit: code('MeasurementUnitCode', unit) });

/** Makes an object of a ONE Record class and leaves out properties without a value. */
function node(type: string, properties: Node, id?: string): Node {
  const known = Object.entries(properties).filter(
    ([, value]) => value && !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...(id && link(id)),
    '@type': `cargo:${type}`,
    ...Object.fromEntries(known.map(([name, value]) => [`cargo:${name}`, value])),
  };
}

/** Returns an accepted offer as JSON-LD: request, option with price, booking, waybill, shipment and pieces. */
export function oneRecordOf(offer: AcceptedOffer) {
  const facts = factsOf(offer);
  const graph = [requestNodes, offerNodes, bookingNodes, shipmentNodes].flatMap((nodes) => nodes(offer, facts));
  return {
    '@context': {
      cargo: 'https://onerecord.iata.org/ns/cargo#',
      cl: 'https://onerecord.iata.org/ns/code-lists/',
      xsd: 'http://www.w3.org/2001/XMLSchema#',
      // The ids are derived from the offer, so the same offer always has the same ids. They are not web addresses: a
      // ONE Record server assigns those.
      lo: `urn:uuid:${offer.id}#`,
    },
    '@graph': graph.filter((each) => typeof each === 'object'),
  };
}

/** Values that several nodes of the file share. */
interface Facts {
  readonly gross: number | undefined;
  readonly goods: string | undefined;
  readonly parties: readonly Node[] | undefined;
  readonly leg: Node | undefined;
  readonly waybill: string | undefined;
  /** Number of the waybill, in two parts. */
  readonly number: Node | undefined;
}

function factsOf(offer: AcceptedOffer): Facts {
  const { details, shipment, contact, cargo, price, kilos } = offer;
  const waybill = shipment?.waybill;
  const shipper = { partyRole: code('ParticipantIdentifier', 'SHP'), partyDetails: link('shipper') };
  return {
    gross: details.kilos ?? (price.per === 'kilo' ? undefined : kilos),
    goods: details.producto ?? GOODS[cargo ?? ''],
    parties: contact && [node('Party', shipper)],
    leg: legOf(shipment),
    waybill,
    number: waybill ? { waybillPrefix: waybill.slice(0, 3), waybillNumber: waybill.slice(3) } : undefined,
  };
}

type MaybeNode = Node | '' | false | undefined;

function requestNodes(offer: AcceptedOffer, { gross, parties }: Facts): readonly MaybeNode[] {
  const { details, contact } = offer;
  return [
    node(
      'BookingOptionRequest',
      {
        bookingShipmentDetails: link('goods'),
        bookingOptions: [link('option')],
        involvedParties: parties,
      },
      'request',
    ),
    contact && shipperOf(contact),
    node(
      'BookingShipment',
      {
        totalGrossWeight: measure(gross, 'KGM'),
        chargeableWeight: measure(chargeableOf(details), 'KGM'),
        specialHandlingCodes: handlingOf(offer),
        textualHandlingInstructions: details.peligrosa && ['Mercancía peligrosa'],
        pieceGroups: details.piezas && [
          node('PieceGroup', {
            pieceGroupCount: integer(details.piezas),
            pieceGroupGrossWeight: measure(gross, 'KGM'),
          }),
        ],
        forBookingOptionRequest: link('request'),
      },
      'goods',
    ),
  ];
}

function offerNodes(offer: AcceptedOffer, { leg }: Facts): readonly MaybeNode[] {
  const ratings = ratingsOf(offer);
  return [
    node(
      'BookingOption',
      {
        forBookingOptionRequest: link('request'),
        forBookingRequest: link('acceptance'),
        statusBookingOption: fixed(offer.isBooked ? 'BOOKED' : 'BOOKABLE'),
        offerValidFrom: time(offer.at),
        offerValidTo: time(instantOf(`${offer.validUntil} 23:59`, 'TIJ')),
        unitsPreference: node('UnitsPreference', {
          currency: { '@id': `https://vocabulary.uncefact.org/CurrencyCodeList#${offer.price.currency}` },
        }),
        price: link('price'),
        transportLegs: leg && [link('leg')],
      },
      'option',
    ),
    node(
      'Price',
      {
        grandTotal: double(offer.total),
        ratings: ratings.map((_, at) => link(`rating-${at + 1}`)),
        forBookingOption: link('option'),
      },
      'price',
    ),
    ...ratings.map((rating, at) => node('Ratings', rating, `rating-${at + 1}`)),
  ];
}

function bookingNodes(offer: AcceptedOffer, { leg, waybill, number }: Facts): readonly MaybeNode[] {
  return [
    node('BookingRequest', { forBookingOption: link('option'), booking: link('booking'), ...number }, 'acceptance'),
    node(
      'Booking',
      {
        bookingRequest: link('acceptance'),
        bookingStatus: fixed(offer.isBooked ? 'CONFIRMED' : 'QUEUED'),
        bookingShipmentDetails: link('goods'),
        shippingRefNo: offer.folio,
        ...number,
        issuedForWaybill: waybill && link('waybill'),
        transportLegs: leg && [link('leg')],
      },
      'booking',
    ),
    leg && node('TransportLegs', leg, 'leg'),
    waybill &&
      node(
        'Waybill',
        { waybillType: fixed('DIRECT'), ...number, shipment: link('shipment'), referredBookingOption: link('booking') },
        'waybill',
      ),
  ];
}

function shipmentNodes(offer: AcceptedOffer, { gross, goods, parties, waybill }: Facts): readonly MaybeNode[] {
  const { details } = offer;
  const pieces = piecesOf(offer, gross);
  return [
    node(
      'Shipment',
      {
        goodsDescription: goods,
        totalGrossWeight: measure(gross, 'KGM'),
        incoterms:
          details.incoterm && node('CodeListElement', { code: details.incoterm, codeListName: 'Incoterms 2020' }),
        involvedParties: parties,
        pieces: pieces.map((_, at) => link(`piece-${at + 1}`)),
        waybill: waybill && link('waybill'),
      },
      'shipment',
    ),
    ...pieces.map((piece, at) =>
      node('Piece', { goodsDescription: goods, ...piece, ofShipment: [link('shipment')] }, `piece-${at + 1}`),
    ),
  ];
}

function shipperOf({ nombre, empresa, email, telefono }: Contact): Node {
  const way = (kind: string, textualValue: string | null) =>
    textualValue ? [node('ContactDetail', { contactDetailType: fixed(kind), textualValue })] : [];
  return node(
    'Company',
    {
      name: empresa ?? nombre,
      contactPersons: [
        node('Person', {
          firstName: nombre,
          contactDetails: [...way('EMAIL_ADDRESS', email), ...way('PHONE_NUMBER', telefono)],
        }),
      ],
    },
    'shipper',
  );
}

function ratingsOf({ price, lines, kilos, total }: AcceptedOffer): readonly Node[] {
  // The charges of an offer priced per kilo are amounts for one kilo. The file needs amounts for a month, so they are
  // multiplied by the kilos of a month.
  const times = price.per === 'kilo' ? kilos : 1;
  const all: readonly Line[] = lines ?? [
    { kind: 'flete', per: price.per === 'kilo' ? 'kilo' : 'embarque', amount: price.amount },
  ];
  return all.map((line) => {
    const [other, due] = CHARGES[line.kind];
    return {
      chargeDescription: line.name ?? line.kind,
      chargeType: code('ChargeIdentifier', other ? `O${due}` : 'WT'),
      otherChargeCode: other && code('OtherChargeCode', other),
      entitlement: code('EntitlementCode', due),
      quantity: double(quantityOf(line, price.per, kilos) * times),
      subTotal: double(lines ? Math.round(lineTotal(line, price.per, kilos) * times * 100) / 100 : total),
    };
  });
}

function handlingOf({ cargo, details }: Pick<AcceptedOffer, 'cargo' | 'details'>) {
  const codes = [cargo === 'perecederos' && 'PER', details.temperatura];
  return codes.flatMap((each) => (each ? [code('SpecialHandlingCode', each)] : []));
}

function piecesOf({ details, ...offer }: AcceptedOffer, gross: number | undefined): readonly Node[] {
  const { piezas: count = 0, largo, ancho, alto, empaque } = details;
  if (count > MOST_PIECES) return [];
  const weight = gross === undefined ? undefined : Math.round((gross / count) * 100) / 100;
  const piece = {
    grossWeight: measure(weight, 'KGM'),
    dimensions:
      largo &&
      ancho &&
      alto &&
      node('Dimensions', { length: measure(largo, 'CMT'), width: measure(ancho, 'CMT'), height: measure(alto, 'CMT') }),
    loadType: empaque && fixed(empaque === 'tarimas' ? 'PALLET' : 'LOOSE'),
    specialHandlingCodes: handlingOf({ ...offer, details }),
  };
  return Array.from({ length: count }, () => piece);
}

function legOf(shipment: Shipment | undefined): Node | undefined {
  if (!shipment?.flight || !shipment.origin) return undefined;
  return {
    legNumber: integer(1),
    transportIdentifier: shipment.flight,
    departureDate: time(shipment.departs),
    arrivalDate: time(arrivalOf(shipment)),
    departureLocation: airport(shipment.origin),
    arrivalLocation: airport('CGO'),
  };
}

const airport = (name: string) =>
  node('Location', {
    locationType: 'Airport',
    locationCodes: [node('CodeListElement', { code: AIRPORT_CODES[name] ?? name, codeListName: 'IATA' })],
  });
