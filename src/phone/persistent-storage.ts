/**
 * Asks the browser never to delete stored data by itself. Called when the visitor presses a button that stores
 * something, because some browsers then ask the visitor.
 */
export function askForPersistence(): void {
  // Pages without HTTPS have no storage manager, although the type says that it always exists.
  void (navigator.storage as StorageManager | undefined)?.persist?.().catch(() => undefined);
}
