// Numbers of air waybills: three digits of the airline, seven of the serial, and a check digit (IATA Resolution 600a).

type Waybill =
  | { readonly kind: 'waybill'; readonly digits: string }
  /** `check`: the check digit that belongs to the serial. */
  | { readonly kind: 'check'; readonly check: number }
  /** Number without the airline's three digits, as people often say it. */
  | { readonly kind: 'airline' }
  | { readonly kind: 'length' };

/** Reads a number in any notation: 784-12345675, 784 1234 5675, 'AWB: 78412345675'. */
export function readWaybill(typed: string): Waybill {
  const digits = typed.replaceAll(/\D/g, '');
  if (digits.length === 8) return { kind: 'airline' };
  if (digits.length !== 11) return { kind: 'length' };
  const check = Number(digits.slice(3, 10)) % 7;
  return check === Number(digits.at(-1)) ? { kind: 'waybill', digits } : { kind: 'check', check };
}

export const waybillInWords = (digits: string): string => `${digits.slice(0, 3)}-${digits.slice(3)}`;
