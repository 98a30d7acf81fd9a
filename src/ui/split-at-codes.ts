const UNBROKEN = /(\d[\d,]* kg|AP-\w{4}-\w{4}|[A-Z]+[–-][A-Z]+|\d+–\d+|[A-Z]{2} [$¥][\d.,]+)/;

/**
 * Splits a text so that every second part is a folio, code (PHARMA-PIL, TIJ–CGO), range (20–25), weight (1,200 kg) or
 * price (US $4.10), which must not break.
 */
export const splitAtCodes = (text: string): readonly string[] => text.split(UNBROKEN);
