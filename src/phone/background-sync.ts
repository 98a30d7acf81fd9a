/** Firefox and Safari have no background sync. */
export const hasBackgroundSync = 'serviceWorker' in navigator && 'SyncManager' in globalThis;
