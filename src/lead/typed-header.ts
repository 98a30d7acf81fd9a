/**
 * Encodes a text that somebody typed for use in a header. URLs appear in server logs, so the text is not put there.
 * Headers allow only ASCII, so other characters are escaped as in JSON.
 */
export const typedHeader = (typed: string): string =>
  JSON.stringify(typed)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
