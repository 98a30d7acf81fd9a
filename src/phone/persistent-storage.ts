/**
 * Asks the browser for persistent storage. Call it in a gesture that stored something: some browsers ask the visitor.
 */
export function askForPersistence(): void {
  // Insecure contexts have no storage manager, unlike its type says.
  void (navigator.storage as StorageManager | undefined)?.persist?.().catch(() => undefined);
}
