/** Can the worker send what waits when no page is open? Firefox and Safari have no such event. */
export const sendsClosed = 'serviceWorker' in navigator && 'SyncManager' in globalThis;
