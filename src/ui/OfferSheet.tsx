import { useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { config } from '../config.ts';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { chargeInWords, pesosInWords, quantityInWords } from '../content/charge-words.ts';
import { charges } from '../content/charges.ts';
import { dateInWords, dayInWords } from '../content/dates.ts';
import { fieldWords } from '../content/fields.ts';
import { links } from '../content/links.ts';
import { offerSheet as words } from '../content/offer-sheet.ts';
import { amountInWords } from '../content/prices.ts';
import { folioOf } from '../lead/folio.ts';
import { lineTotal, offerTotal, type Line, type OfferFacts } from '../lead/offer-lines.ts';
import type { Price } from '../lead/offer.ts';
import { serviceOf } from '../lead/services.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Inline } from './Inline.tsx';
import styles from './OfferSheet.module.css';
import { QrCode } from './QrCode.tsx';

export interface SheetOffer {
  readonly at: number;
  readonly price: Price;
  readonly kilos: number;
  readonly validUntil: string;
  readonly body: string;
  readonly state: string | undefined;
  readonly facts: OfferFacts;
  /** Times of the acceptance. `received` is undefined while the acceptance still waits on the phone. */
  readonly acceptance: { readonly at: number; readonly received: number | undefined } | undefined;
}

/** Customer's fields of the quote. At the desk a missing field is null. */
type Customer = Partial<Record<'nombre' | 'empresa' | 'email' | 'telefono' | 'tipo_carga', string | null>> & {
  readonly servicio?: string | undefined;
};

interface Props {
  readonly quoteId: string;
  readonly customer: Customer;
  readonly offer: SheetOffer;
  /** Share link that opens the quote; undefined if this browser cannot compute it. */
  readonly link: string | undefined;
  readonly onClose: () => void;
}

/**
 * The sheet formats dates as if the present year were long past. Each date then names its year, and none becomes 'hoy'.
 */
const NO_CLOCK = 0;

/**
 * Offer as a sheet of letter paper, which the browser prints or saves as PDF. The same offer always makes the same
 * sheet.
 */
export function OfferSheet({ quoteId, customer, offer, link, onClose }: Props) {
  useEffect(() => {
    const root = document.documentElement;
    root.dataset['offerSheet'] = '';
    return () => void delete root.dataset['offerSheet'];
  }, []);
  const folio = folioOf(quoteId);
  // The dialog is a direct child of the body, so that printing can hide everything else.
  return createPortal(
    <Dialog
      title={words.title(folio)}
      isWide
      onClose={onClose}
      actions={<Button languages="two" quiet={false} words={words.print} onClick={() => print()} />}
    >
      <div className={styles['paper']}>
        <Head folio={folio} at={offer.at} />
        <Facts customer={customer} offer={offer} />
        <Lines offer={offer} />
        {offer.body && (
          <section>
            <h3 className="label">
              <Inline text={words.words} />
            </h3>
            <p className={styles['body']} translate="no">
              {offer.body}
            </p>
          </section>
        )}
        <div className={styles['foot']}>
          <div className={styles['binding']}>
            <Acceptance offer={offer} />
            <Terms servicio={customer.servicio} />
          </div>
          {link && (
            <div className={styles['key']}>
              <QrCode text={link} label={links.picture} />
              <p>
                <Inline text={words.key} />
              </p>
            </div>
          )}
        </div>
      </div>
    </Dialog>,
    document.body,
  );
}

function Head({ folio, at }: { readonly folio: string; readonly at: number }) {
  const { name, legalName, address, phone, email } = config.company;
  return (
    <div className={styles['head']}>
      <div>
        <p className={styles['name']} translate="no">
          {name}
        </p>
        {[legalName !== name && legalName, address, `${phone} · ${email}`].map(
          (line) =>
            line && (
              <p key={line} translate="no">
                {line}
              </p>
            ),
        )}
      </div>
      <div>
        <p className="label">
          <Inline text={words.offer} />
        </p>
        <p className={styles['folio']} translate="no">
          {folio}
        </p>
        <p>
          <Inline text={dateInWords(at, NO_CLOCK)} />
        </p>
      </div>
    </div>
  );
}

function Facts({ customer, offer }: Pick<Props, 'customer' | 'offer'>) {
  const { nombre, empresa, email, telefono, tipo_carga } = customer;
  const { price, kilos, validUntil } = offer;
  const weight = kilos.toLocaleString('es-MX');
  const boxes: readonly (readonly [Text, Text | string | null | undefined])[] = [
    [words.customer, [empresa, nombre, email, telefono].filter(Boolean).join(' · ')],
    [
      fieldWords.tipo_carga.label,
      tipo_carga && fieldWords.tipo_carga.choices[tipo_carga as keyof typeof fieldWords.tipo_carga.choices],
    ],
    [words.weight, price.per === 'kilo' ? words.monthly(weight) : words.shipment(weight)],
    [words.validUntil, words.tijuana(dayInWords(validUntil, NO_CLOCK))],
  ];
  return (
    <dl className={styles['facts']}>
      {boxes.map(
        ([label, value]) =>
          value && (
            <div key={mainWords(label)}>
              <dt className="label">
                <Inline text={label} />
              </dt>
              {typeof value === 'string' ? (
                <dd translate="no">{value}</dd>
              ) : (
                <dd>
                  <Inline text={value} />
                </dd>
              )}
            </div>
          ),
      )}
    </dl>
  );
}

function Lines({ offer: { price, kilos, facts } }: Pick<Props, 'offer'>) {
  const { currency, per } = price;
  const money = (amount: number) => amountInWords({ amount, currency });
  const pesos = pesosInWords(facts, currency);
  const quantity = (line: Line): ReactNode => {
    const text = quantityInWords(line, price, kilos) ?? { es: '1', en: '1' };
    return line.per === 'dia' ? <Inline text={text} /> : mainWords(text);
  };
  const { columns } = words;
  const total = facts.total ?? offerTotal(price, kilos);
  const weight = kilos.toLocaleString('es-MX');
  return (
    <table className={styles['table']}>
      <caption className="hidden">{mainWords(words.table)}</caption>
      <thead>
        <tr>
          {[columns.charge, columns.unit, columns.quantity, columns.total].map((column) => (
            <th key={mainWords(column)} scope="col">
              <Inline text={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.lines?.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines never change
          <tr key={place}>
            <th scope="row">
              <Inline text={chargeInWords(line)} />
            </th>
            <td>
              {money(line.amount)} <Inline text={charges.per[line.per]} />
            </td>
            <td>{quantity(line)}</td>
            <td>{money(lineTotal(line, per, kilos))}</td>
          </tr>
        ))}
        {!facts.lines && (
          <tr>
            <th scope="row">
              <Inline text={words.whole} />
            </th>
            <td>
              {money(price.amount)} <Inline text={charges.per[per === 'kilo' ? 'kilo' : 'embarque']} />
            </td>
            <td>{per === 'kilo' ? `${weight} kg` : '1'}</td>
            <td>{money(total)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        {facts.lines && per === 'kilo' && (
          <tr>
            <th scope="row" colSpan={3}>
              <Inline text={words.perKilo} />
            </th>
            <td>{money(price.amount)}</td>
          </tr>
        )}
        <tr className={styles['total']}>
          <th scope="row" colSpan={3}>
            <Inline text={per === 'kilo' ? words.total.kilo(weight) : words.total.total} />
          </th>
          <td>{money(total)}</td>
        </tr>
        {pesos && (
          <tr>
            <td colSpan={4}>
              <Inline text={pesos} />
            </td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

function Acceptance({ offer: { acceptance, state } }: Pick<Props, 'offer'>) {
  const outcome = words.states[state as keyof typeof words.states] as Text | undefined;
  const lines = [
    acceptance && words.accepted(dateInWords(acceptance.at, NO_CLOCK)),
    acceptance &&
      (acceptance.received === undefined
        ? words.notReceived
        : words.received(dateInWords(acceptance.received, NO_CLOCK))),
    outcome,
    !acceptance && !outcome && words.open,
  ];
  return (
    <section>
      <h3 className="label">
        <Inline text={words.acceptance} />
      </h3>
      {lines.map(
        (line) =>
          line && (
            <p key={mainWords(line)}>
              <Inline text={line} />
            </p>
          ),
      )}
    </section>
  );
}

function Terms({ servicio }: Pick<Customer, 'servicio'>) {
  const cubic = serviceOf({ servicio }).cubic.toLocaleString('es-MX');
  return (
    <section className={styles['terms']}>
      <h3 className="label">
        <Inline text={words.terms.title} />
      </h3>
      <ul>
        {words.terms.list(cubic).map((term) => (
          <li key={mainWords(term)}>
            <Inline text={term} />
          </li>
        ))}
      </ul>
    </section>
  );
}
