// Declared here, because only Chromium has static routes and TypeScript's lib does not.
interface ExtendableEvent {
  addRoutes?(
    rules: readonly {
      readonly condition: { readonly urlPattern: URLPatternInit | string; readonly requestMode?: RequestMode };
      readonly source: { readonly cacheName: string } | 'network';
    }[],
  ): Promise<void>;
}
