/** Asks the browser to keep what is here. Only from a gesture that gave it something to keep: some browsers ask the visitor. */
export function askToKeep(): void {
  // A context that is not secure has no storage manager, whatever its type says.
  void (navigator.storage as StorageManager | undefined)?.persist?.().catch(() => undefined);
}
