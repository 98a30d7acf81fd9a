/** Can the worker send what waits when no page is open? Firefox and Safari have no such event. */
export const canSendClosed = 'serviceWorker' in navigator && 'SyncManager' in globalThis;
