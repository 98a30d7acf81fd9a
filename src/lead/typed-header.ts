/**
 * Encodes a typed text for a header; in a URL the text would appear in server logs. Headers allow only ASCII, so other
 * characters are escaped as in JSON.
 */
export const typedHeader = (typed: string): string =>
  JSON.stringify(typed)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
