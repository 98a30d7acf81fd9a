import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { oneRecordOf, type AcceptedOffer } from '../../src/lead/one-record.ts';

/** Classes, individuals and codes that the record uses, copied from IATA's ontology; the file names source and day. */
const ontology = JSON.parse(readFileSync('tests/unit/one-record.json', 'utf8')) as {
  classes: Record<string, { superclasses: string[]; properties: Record<string, string> }>;
  individuals: Record<string, string[]>;
  codes: Record<string, string[]>;
};

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const local = (name: unknown) => (name as string).replace(/^cargo:/, '');

/** Violations of the ontology: unknown classes, properties and codes, wrong ranges, more values than allowed. */
function violationsIn(record: { readonly '@graph': readonly unknown[] }): string[] {
  const found: string[] = [];
  const graph = record['@graph'] as Node[];
  const types = new Map(graph.map((node) => [node['@id'], local(node['@type'])]));
  const isKindOf = (type: string, range: string) =>
    type === range || Boolean(ontology.classes[type]?.superclasses.includes(range));

  function checkValue(where: string, range: string, value: unknown): void {
    const fail = () => found.push(`${where}: ${JSON.stringify(value)} is no ${range}`);
    if (range === 'xsd:string') return void (typeof value === 'string' || fail());
    if (!isNode(value)) return void fail();
    if (range.startsWith('xsd:')) {
      const text = String(value['@value']);
      const isRight = {
        'xsd:double': /^-?\d+(\.\d+)?$/,
        'xsd:integer': /^-?\d+$/,
        'xsd:dateTime': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      }[range];
      return void ((value['@type'] === range && isRight?.test(text)) || fail());
    }
    const id = value['@id'] as string | undefined;
    if (range.startsWith('codes:')) {
      const list = range.slice('codes:'.length);
      if (list === 'CurrencyCode')
        return void (/^https:\/\/vocabulary\.uncefact\.org\/CurrencyCodeList#[A-Z]{3}$/.test(id ?? '') || fail());
      const [, named, code] = /^cl:(\w+)#(\w+)$/.exec(id ?? '') ?? [];
      return void ((named === list && ontology.codes[list]?.includes(code!)) || fail());
    }
    if (ontology.individuals[range]) return void (ontology.individuals[range].includes(local(id ?? '')) || fail());
    if (value['@type']) {
      if (!isKindOf(local(value['@type']), range)) fail();
      return check(where, value);
    }
    const type = types.get(id);
    if (!type || !isKindOf(type, range)) fail();
  }

  function check(where: string, node: Node): void {
    const type = local(node['@type']);
    const known = ontology.classes[type];
    if (!known) return void found.push(`${where}: class ${type} is unknown`);
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith('@')) continue;
      const range = known.properties[local(name)];
      const place = `${type}.${local(name)}`;
      if (!range) found.push(`${place} is unknown`);
      else if (Array.isArray(value) && !range.endsWith('*')) found.push(`${place} may have one value`);
      else for (const each of [value].flat()) checkValue(place, range.replace('*', ''), each);
    }
  }
  for (const node of graph) check(node['@id'] as string, node);
  if (types.size !== graph.length) found.push('two objects have one id');
  return found;
}

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

describe('a ONE Record', () => {
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
  ])('of %s follows the ontology', (_, offer) => {
    expect(violationsIn(oneRecordOf(offer))).toEqual([]);
  });

  test('the check finds each kind of violation', () => {
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

  test('the charges add up to the total, also in a price per kilo', () => {
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

  test('an accepted offer waits for space, and a booked one is confirmed, with flight and waybill', () => {
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

  test('a record for a receiver without contacts names nobody', () => {
    const text = JSON.stringify(oneRecordOf({ ...OFFER, contact: undefined }));
    for (const word of ['Ana', 'Berries', 'berries.mx', '555']) expect(text).not.toContain(word);
  });
});
