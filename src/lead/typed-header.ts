/** Escapes as JSON does: headers carry only ASCII, and an address would appear in logs. */
export const typedHeader = (typed: string): string =>
  JSON.stringify(typed)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
