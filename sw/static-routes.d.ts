// Not in TypeScript's lib: only Chromium has it, and of an installation alone.
interface ExtendableEvent {
  addRoutes?(rule: {
    readonly condition: { readonly urlPattern: URLPatternInit; readonly requestMode: RequestMode };
    readonly source: { readonly cacheName: string };
  }): Promise<void>;
}
