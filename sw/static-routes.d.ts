// Not in TypeScript's lib: only Chromium has it, and of an installation alone.
interface ExtendableEvent {
  addRoutes?(
    rules: readonly {
      readonly condition: { readonly urlPattern: URLPatternInit | string; readonly requestMode?: RequestMode };
      readonly source: { readonly cacheName: string } | 'network';
    }[],
  ): Promise<void>;
}
