/** Asked for by the visitor, by the browser, or by a line that hardly carries anything: src/landing/before-paint.ts marks it. */
export const isSavingData = (): boolean => 'saving' in document.documentElement.dataset;
