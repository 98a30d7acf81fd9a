// TypeScript's types lack static routes, which only Chromium has.
interface ExtendableEvent {
  addRoutes?(
    rules: readonly {
      readonly condition: { readonly urlPattern: URLPatternInit | string; readonly requestMode?: RequestMode };
      readonly source: { readonly cacheName: string } | 'network';
    }[],
  ): Promise<void>;
}
