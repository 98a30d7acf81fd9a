/**
 * True if the visitor or the browser saves data, or the connection is very slow; src/landing/before-paint.ts marks the
 * document for this.
 */
export const isSavingData = (): boolean => 'saving' in document.documentElement.dataset;
