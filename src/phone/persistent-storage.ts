/**
 * Asks the browser never to delete stored data by itself. Called during a press that stores something, because some
 * browsers then ask the visitor.
 */
export function askForPersistence(): void {
  // Pages without HTTPS have no storage manager, although its type says so.
  void (navigator.storage as StorageManager | undefined)?.persist?.().catch(() => undefined);
}
