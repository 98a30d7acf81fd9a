/** Characters with a meaning in HTML, with the entities that React writes for them. */
export const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' } as const;

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
