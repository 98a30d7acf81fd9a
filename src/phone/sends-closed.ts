/** Firefox and Safari have no background sync. */
export const canSendClosed = 'serviceWorker' in navigator && 'SyncManager' in globalThis;
