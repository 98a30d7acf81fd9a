/** As JSON writes a text: a header holds no other letters than these, and an address would stand in logs. */
export const typedHeader = (typed: string): string =>
  JSON.stringify(typed)
    .slice(1, -1)
    .replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
