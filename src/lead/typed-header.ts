/**
 * Header for a text that somebody typed, escaped as in JSON because headers carry only ASCII. A header, because the
 * text in a URL would appear in logs.
 */
export const typedHeader = (typed: string): string =>
  JSON.stringify(typed)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
