/**
 * True by the visitor's choice, the browser's, or a very slow connection; src/landing/before-paint.ts marks the
 * document.
 */
export const isSavingData = (): boolean => 'saving' in document.documentElement.dataset;
