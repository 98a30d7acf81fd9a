// Declared here, because only Chromium has background sync and TypeScript's lib does not.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
  readonly lastChance: boolean;
}

interface ServiceWorkerGlobalScopeEventMap {
  sync: SyncEvent;
  periodicsync: SyncEvent;
}

interface ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}
