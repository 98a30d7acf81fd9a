const CURRENCIES = ['USD', 'MXN', 'CNY'] as const;
const PRICED_PER = ['kilo', 'total'] as const;

export interface Price {
  readonly amount: number;
  readonly currency: (typeof CURRENCIES)[number];
  readonly per: (typeof PRICED_PER)[number];
}

/** A price as it comes from a disk or a server; undefined where it is none. */
export function readPrice(kept: Readonly<Record<keyof Price, unknown>> | undefined): Price | undefined {
  const { amount, currency, per } = kept ?? {};
  const isKnown = CURRENCIES.some((name) => name === currency) && PRICED_PER.some((name) => name === per);
  return isKnown && Number(amount) > 0 && Number(amount) < Infinity
    ? ({ amount: Number(amount), currency, per } as Price)
    : undefined;
}
