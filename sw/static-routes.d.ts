// TypeScript's lib lacks this, because only Chromium has it.
interface ExtendableEvent {
  addRoutes?(
    rules: readonly {
      readonly condition: { readonly urlPattern: URLPatternInit | string; readonly requestMode?: RequestMode };
      readonly source: { readonly cacheName: string } | 'network';
    }[],
  ): Promise<void>;
}
