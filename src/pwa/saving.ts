/** Asked for by the visitor, by the browser, or by a line that hardly carries anything: index.html marks it. */
export const isSavingData = (): boolean => 'saving' in document.documentElement.dataset;
