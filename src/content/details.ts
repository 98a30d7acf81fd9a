import { chargeableOf, type Detail, type Details, type TEMPERATURES, type PACKED } from '../lead/details.ts';
import { mainWords, type Bilingual } from './bilingual.ts';
import { dayInWords } from './dates.ts';

export const details = {
  title: { es: 'Detalles del embarque', en: 'Shipment details' },
  yes: { es: 'Sí', en: 'Yes' },
  no: { es: 'No', en: 'No' },
  chargeable: { es: 'Peso cobrable', en: 'Chargeable weight' },
  size: { es: 'Bultos', en: 'Packages' },
  fields: {
    producto: { es: 'Producto', en: 'Product' },
    empaque: { es: 'Empaque', en: 'Packaging' },
    piezas: { es: 'Número de piezas', en: 'Number of pieces' },
    largo: { es: 'Largo, cm', en: 'Length, cm' },
    ancho: { es: 'Ancho, cm', en: 'Width, cm' },
    alto: { es: 'Alto, cm', en: 'Height, cm' },
    kilos: { es: 'Peso bruto, kg', en: 'Gross weight, kg' },
    lista: { es: 'Carga lista el', en: 'Cargo ready on' },
    salida: { es: 'Ciudad de salida', en: 'City of departure' },
    destino: { es: 'Ciudad de destino', en: 'Destination city' },
    temperatura: { es: 'Temperatura', en: 'Temperature' },
    incoterm: { es: 'Incoterm (condición de entrega)', en: 'Incoterm (delivery terms)' },
    peligrosa: { es: 'Mercancía peligrosa', en: 'Dangerous goods' },
  } satisfies Record<Detail, Bilingual>,
  packed: {
    cajas: { es: 'cajas', en: 'boxes' },
    tarimas: { es: 'tarimas', en: 'pallets' },
  } satisfies Record<(typeof PACKED)[number], Bilingual>,
  temperatures: {
    COL: { es: '2 a 8\u00a0°C, refrigerada (COL)', en: 'chilled' },
    CRT: { es: '15 a 25\u00a0°C, ambiente controlado (CRT)', en: 'controlled room' },
    ERT: { es: '2 a 25\u00a0°C, ambiente amplio (ERT)', en: 'extended room' },
    FRO: { es: '−20 a −10\u00a0°C, congelada (FRO)', en: 'frozen' },
  } satisfies Record<(typeof TEMPERATURES)[number], Bilingual>,
};

/** Texts with which the page asks for shipment details, after the receipt is shown. */
export const askedDetails = {
  change: { es: 'Cambiar los detalles', en: 'Change the details' },
  why: {
    es: 'Todo es opcional. Con estos datos podemos mandarle el precio en la primera respuesta.',
    en: 'Everything is optional. With these details our first answer can be the price.',
  },
  save: { es: 'Enviar detalles', en: 'Send details' },
  cancel: { es: 'Cerrar sin enviar', en: 'Close without sending' },
  bound: {
    es: 'Ya hay una oferta con estos datos. Si algo cambió, pregúntenos.',
    en: 'There is already an offer for this data. If something changed, ask us.',
  },
  states: {
    waiting: {
      es: 'Detalles guardados en este teléfono; se envían después de la solicitud.',
      en: 'Details saved on this phone; they are sent after the request.',
    },
    delivered: { es: 'Detalles entregados.', en: 'Details delivered.' },
    refused: {
      es: 'Llegaron después de la oferta y no la cambian. Si algo cambió, pregúntenos.',
      en: 'They came after the offer and do not change it. If something changed, ask us.',
    },
    wrong: {
      es: 'Estos detalles no se pudieron entregar. Revíselos y envíelos otra vez.',
      en: 'These details could not be delivered. Check them and send them again.',
    },
  },
  none: { es: 'Sin especificar', en: 'Not specified' },
  /** Headings of the form's steps. */
  steps: {
    cargo: { es: '1 · La carga', en: 'The cargo' },
    measures: { es: '2 · Medidas', en: 'Measures' },
    journey: { es: '3 · Cuándo y a dónde', en: 'When and where to' },
  },
  dangerous: {
    es: 'No la transportamos. Sí llevamos baterías de litio, hielo seco y productos farmacéuticos declarados en la guía aérea: elija «No» y anótelo en «Producto».',
    en: 'We do not carry it. We do carry lithium batteries, dry ice and pharma, declared on the air waybill: choose “No” and note it under “Product”.',
  },
  chargeableIs: (kilos: string): Bilingual => ({ es: `Peso cobrable: ${kilos}`, en: `Chargeable weight: ${kilos}` }),
};

/** Products that the form suggests while the visitor types. */
export const products: readonly Bilingual[] = [
  { es: 'Arándanos', en: 'Blueberries' },
  { es: 'Frambuesas', en: 'Raspberries' },
  { es: 'Zarzamoras', en: 'Blackberries' },
  { es: 'Langosta viva', en: 'Live lobster' },
  { es: 'Camarón congelado', en: 'Frozen shrimp' },
  { es: 'Atún fresco', en: 'Fresh tuna' },
  { es: 'Abulón', en: 'Abalone' },
  { es: 'Tequila', en: 'Tequila' },
  { es: 'Mezcal', en: 'Mezcal' },
  { es: 'Dispositivos médicos', en: 'Medical devices' },
  { es: 'Material quirúrgico', en: 'Surgical supplies' },
];

interface DetailLine {
  readonly label: Bilingual;
  readonly value: string;
  /** True for a text that the exporter wrote, which is not translated. */
  readonly theirs?: boolean;
}

export const kilosInWords = (kilos: number) => `${kilos.toLocaleString('es-MX')}\u00a0kg`;

/** Returns label and value of each given detail, in the order of the form. */
export function detailsInWords(
  given: Details,
  now: number,
  quote?: Parameters<typeof chargeableOf>[1],
): readonly DetailLine[] {
  const { fields, packed, temperatures } = details;
  const { producto, empaque, piezas, largo, ancho, alto, kilos, lista, salida, destino, temperatura, incoterm } = given;
  const { peligrosa } = given;
  const size = [largo, ancho, alto].every(Boolean) && `${largo} × ${ancho} × ${alto}\u00a0cm`;
  const chargeable = chargeableOf(given, quote);
  const lines: readonly (readonly [label: Bilingual, value: string | false | 0 | undefined, theirs?: boolean])[] = [
    [fields.producto, producto, true],
    [
      details.size,
      [[piezas?.toLocaleString('es-MX'), empaque && mainWords(packed[empaque])].filter(Boolean).join(' '), size]
        .filter(Boolean)
        .join(' de '),
    ],
    [fields.kilos, kilos && kilosInWords(kilos)],
    [details.chargeable, chargeable && kilosInWords(chargeable)],
    [fields.lista, lista && mainWords(dayInWords(lista, now))],
    [fields.salida, salida, true],
    [fields.destino, destino, true],
    [fields.temperatura, temperatura && mainWords(temperatures[temperatura])],
    [fields.incoterm, incoterm],
    [fields.peligrosa, peligrosa !== undefined && mainWords(peligrosa ? details.yes : details.no)],
  ];
  return lines.flatMap(([label, value, theirs = false]) => (value ? { label, value, theirs } : []));
}
