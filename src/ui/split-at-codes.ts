const UNBROKEN = /(\d[\d,]* kg|AP-\w{4}-\w{4}|[A-Z]+[–-][A-Z]+|\d+–\d+|[A-Z]{2} [$¥][\d.,]+)/;

/**
 * Splits a text so that every second part is a folio, a code (PHARMA-PIL, TIJ–CGO), a range (20–25), a weight (1,200
 * kg) or a price (US $4.10). These parts must not be broken into two lines.
 */
export const splitAtCodes = (text: string): readonly string[] => text.split(UNBROKEN);
