// TypeScript's types lack background sync, which only Chromium has.
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
