/** False in Firefox and Safari, which have no background sync. */
export const hasBackgroundSync = 'serviceWorker' in navigator && 'SyncManager' in globalThis;
