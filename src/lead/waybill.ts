// Air waybill numbers: three digits for the airline, seven for the serial, and a check digit (IATA Resolution 600a).

type Waybill =
  | { readonly kind: 'waybill'; readonly digits: string }
  /** The check digit is wrong; `check`: the right one for this serial. */
  | { readonly kind: 'check'; readonly check: number }
  /** The three digits of the airline are missing: people often leave them out when they say a number. */
  | { readonly kind: 'airline' }
  | { readonly kind: 'length' };

/** Reads a waybill number in any notation: 784-12345675, 784 1234 5675, 'AWB: 78412345675'. */
export function readWaybill(typed: string): Waybill {
  const digits = typed.replaceAll(/\D/g, '');
  if (digits.length === 8) return { kind: 'airline' };
  if (digits.length !== 11) return { kind: 'length' };
  const check = Number(digits.slice(3, 10)) % 7;
  return check === Number(digits.at(-1)) ? { kind: 'waybill', digits } : { kind: 'check', check };
}

export const waybillInWords = (digits: string): string => `${digits.slice(0, 3)}-${digits.slice(3)}`;
