import { describe, expect, test } from 'vitest';
import { oneRecordOf, type AcceptedOffer } from '../../src/lead/one-record.ts';
import { violationsIn, type Node } from './ontology.ts';

const PALLETS = { empaque: 'tarimas', piezas: 4, largo: 120, ancho: 100, alto: 150, kilos: 960 } as const;
const FLIGHT = { flight: 'CA 8404', day: '2026-12-06', departs: Date.parse('2026-12-06T09:30Z') };
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
  details: { ...PALLETS, producto: 'Arándano fresco', temperatura: 'COL', incoterm: 'FOB', peligrosa: true },
  shipment: { ...FLIGHT, origin: 'AIFA', waybill: '78412345675', steps: [] },
  contact: { nombre: 'Ana Ríos', empresa: 'Berries del Valle', email: 'ana@berries.mx', telefono: '+52 664 555 0175' },
};

const BY_KILO: AcceptedOffer = { ...OFFER, price: { amount: 4.1, currency: 'MXN', per: 'kilo' }, total: 3936 };
const KINDS = ['flete', 'combustible', 'seguridad', 'manejo', 'aduana', 'entrega'] as const;
const EVERY_CHARGE = KINDS.map((kind) => ({ kind, per: 'dia', days: 2, amount: 1 }) as const);

const objectsOf = (offer: AcceptedOffer, type: string) =>
  (oneRecordOf(offer)['@graph'] as Node[]).filter((node) => node['@type'] === `cargo:${type}`);
const numberOf = (value: unknown) => Number((value as Node)['@value']);

describe('the ONE Record (IATA’s data format) of an accepted offer', () => {
  test.each<[what: string, offer: AcceptedOffer]>([
    ['a booked offer with everything', OFFER],
    ['an accepted offer', { ...OFFER, isBooked: false, shipment: undefined }],
    ['a price per kilo without details', { ...BY_KILO, lines: undefined, details: {}, cargo: null }],
    ['more pieces than have objects', { ...OFFER, details: { piezas: 100_000 } }],
    ['no contact, and every kind of charge', { ...OFFER, contact: undefined, lines: EVERY_CHARGE }],
    ['an exporter without company', { ...OFFER, contact: { ...OFFER.contact!, empresa: null, email: null } }],
  ])('follows IATA’s ontology for %s', (_, offer) => {
    expect(violationsIn(oneRecordOf(offer))).toEqual([]);
  });

  test('the charges of a ONE Record add up to its total', () => {
    const byKilo = { ...OFFER, price: { amount: 4.85, currency: 'USD', per: 'kilo' } as const };
    const line = (kind: 'flete' | 'seguridad', amount: number) => ({ kind, per: 'kilo', amount }) as const;
    const lines = [line('flete', 4.25), line('seguridad', 0.6)];
    for (const offer of [
      OFFER,
      { ...OFFER, lines: undefined },
      { ...byKilo, lines },
      { ...byKilo, lines: undefined },
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
    expect(objectsOf(OFFER, 'BookingOption')[0]!['cargo:statusBookingOption']).toEqual({ '@id': 'cargo:BOOKED' });
    expect(objectsOf(OFFER, 'Piece')).toHaveLength(4);
    expect(JSON.stringify(objectsOf(OFFER, 'TransportLegs'))).toContain('"NLU"');
  });

  test('a ONE Record names no person if its receiver may not see contacts', () => {
    const text = JSON.stringify(oneRecordOf({ ...OFFER, contact: undefined }));
    for (const word of ['Ana', 'Berries', 'berries.mx', '555']) expect(text).not.toContain(word);
  });
});
