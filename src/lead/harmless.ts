/**
 * Removes control characters from a text of a stranger. In a terminal they could move the cursor, change colours or
 * reverse the direction of the text.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
