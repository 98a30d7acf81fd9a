/**
 * Removes control characters from a visitor's text: they could move a terminal's cursor, colour its text or reverse its
 * lines.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
