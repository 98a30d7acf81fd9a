import { describe, expect, test } from 'vitest';
import { oneRecordOf, type AcceptedOffer } from '../../src/lead/one-record.ts';
import { violationsIn, type Node } from './ontology.ts';

const OFFER: AcceptedOffer = {
  id: '5f0c1c52-3f0a-4c58-9a39-7d6f4f1f0f11',
  folio: 'AP-5D7E-JYAM',
  at: Date.parse('2026-11-28T18:00:00Z'),
  price: { amount: 4656, currency: 'USD', per: 'total' },
  kilos: 960,
  total: 4656,
  lines: [
    { kind: 'flete', per: 'kilo', amount: 4.2 },
    { kind: 'combustible', per: 'kilo', amount: 0.6 },
    { kind: 'otro', name: 'fumigación', per: 'embarque', amount: 48 },
  ],
  validUntil: '2026-12-03',
  isBooked: true,
  cargo: 'perecederos',
  details: {
    producto: 'Arándano fresco',
    empaque: 'tarimas',
    piezas: 4,
    largo: 120,
    ancho: 100,
    alto: 150,
    kilos: 960,
    temperatura: 'COL',
    incoterm: 'FOB',
    peligrosa: true,
  },
  shipment: {
    flight: 'CA 8404',
    day: '2026-12-06',
    origin: 'AIFA',
    waybill: '78412345675',
    departs: Date.parse('2026-12-06T09:30Z'),
    steps: [],
  },
  contact: { nombre: 'Ana Ríos', empresa: 'Berries del Valle', email: 'ana@berries.mx', telefono: '+52 664 555 0175' },
};

const objectsOf = (offer: AcceptedOffer, type: string) =>
  (oneRecordOf(offer)['@graph'] as Node[]).filter((node) => node['@type'] === `cargo:${type}`);
const numberOf = (value: unknown) => Number((value as Node)['@value']);

describe('the ONE Record (IATA’s data format) of an accepted offer', () => {
  test.each<[what: string, offer: AcceptedOffer]>([
    ['a booked offer with everything', OFFER],
    ['an accepted offer', { ...OFFER, isBooked: false, shipment: undefined }],
    [
      'a price per kilo without details',
      {
        ...OFFER,
        price: { amount: 4.1, currency: 'MXN', per: 'kilo' },
        total: 3936,
        lines: undefined,
        details: {},
        cargo: null,
      },
    ],
    ['more pieces than have objects', { ...OFFER, details: { piezas: 100_000 } }],
    [
      'no contact, and every kind of charge',
      {
        ...OFFER,
        contact: undefined,
        lines: (['flete', 'combustible', 'seguridad', 'manejo', 'aduana', 'entrega'] as const).map((kind) => ({
          kind,
          per: 'dia',
          days: 2,
          amount: 1,
        })),
      },
    ],
    [
      'an exporter without company and e-mail',
      { ...OFFER, contact: { ...OFFER.contact!, empresa: null, email: null } },
    ],
  ])('follows IATA’s ontology for %s', (_, offer) => {
    expect(violationsIn(oneRecordOf(offer))).toEqual([]);
  });

  test('the ontology check of these tests finds each kind of violation', () => {
    const record = JSON.parse(JSON.stringify(oneRecordOf(OFFER))) as { '@graph': Node[] };
    const node = (type: string) => record['@graph'].find((each) => each['@type'] === `cargo:${type}`)!;
    node('Booking')['cargo:bookingStatus'] = { '@id': 'cargo:BOOKED' };
    node('Waybill')['cargo:shipmentInformation'] = { '@id': 'lo:shipment' };
    node('Shipment')['cargo:waybill'] = { '@id': 'lo:booking' };
    node('Price')['cargo:grandTotal'] = 4656;
    node('Piece')['cargo:specialHandlingCodes'] = [{ '@id': 'cl:SpecialHandlingCode#XXX' }];
    node('Ratings')['cargo:quantity'] = [{ '@type': 'xsd:double', '@value': '1' }];
    node('Company')['@type'] = 'cargo:Firm';
    expect(violationsIn(record)).toEqual([
      expect.stringContaining('Party.partyDetails'),
      'lo:shipper: class Firm is unknown',
      'Price.grandTotal: 4656 is no xsd:double',
      'Ratings.quantity may have one value',
      expect.stringContaining('Booking.bookingStatus'),
      'Waybill.shipmentInformation is unknown',
      expect.stringContaining('Party.partyDetails'),
      expect.stringContaining('Shipment.waybill'),
      expect.stringContaining('Piece.specialHandlingCodes'),
    ]);
  });

  test('the charges of a ONE Record add up to its total', () => {
    for (const offer of [
      OFFER,
      { ...OFFER, lines: undefined },
      {
        ...OFFER,
        price: { amount: 4.85, currency: 'USD', per: 'kilo' } as const,
        total: 4656,
        lines: [
          { kind: 'flete', per: 'kilo', amount: 4.25 },
          { kind: 'seguridad', per: 'kilo', amount: 0.6 },
        ] as const,
      },
    ]) {
      const sum = objectsOf(offer, 'Ratings').reduce((all, rating) => all + numberOf(rating['cargo:subTotal']), 0);
      expect(sum).toBeCloseTo(offer.total, 2);
      expect(numberOf(objectsOf(offer, 'Price')[0]!['cargo:grandTotal'])).toBe(offer.total);
    }
  });

  test('the ONE Record of a booked offer is confirmed, and names flight and waybill', () => {
    const [accepted] = objectsOf({ ...OFFER, isBooked: false, shipment: undefined }, 'Booking');
    expect(accepted).toMatchObject({
      'cargo:bookingStatus': { '@id': 'cargo:QUEUED' },
      'cargo:shippingRefNo': OFFER.folio,
    });
    expect(objectsOf(OFFER, 'Booking')[0]).toMatchObject({
      'cargo:bookingStatus': { '@id': 'cargo:CONFIRMED' },
      'cargo:waybillPrefix': '784',
      'cargo:waybillNumber': '12345675',
    });
    expect(objectsOf(OFFER, 'Piece')).toHaveLength(4);
    expect(JSON.stringify(objectsOf(OFFER, 'TransportLegs'))).toContain('"NLU"');
  });

  test('a ONE Record names no person if its receiver may not see contacts', () => {
    const text = JSON.stringify(oneRecordOf({ ...OFFER, contact: undefined }));
    for (const word of ['Ana', 'Berries', 'berries.mx', '555']) expect(text).not.toContain(word);
  });
});
