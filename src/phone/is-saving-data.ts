/**
 * True in data saver mode: the visitor or the browser asked for it, or the connection is very slow.
 * src/landing/before-paint.ts marks the document.
 */
export const isSavingData = (): boolean => 'saving' in document.documentElement.dataset;
