// Types of Lighthouse that the benchmarks use. They are declared here, because `npm test` checks types where the
// package of Lighthouse is not installed.
declare module 'lighthouse' {
  interface Named {
    readonly id: string;
    readonly title: string;
    readonly score: number | null;
  }
  interface Audit extends Named {
    readonly scoreDisplayMode: string;
    readonly numericValue?: number;
    readonly details?: object;
  }
  interface Category extends Named {
    readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
  }
  export interface Result {
    readonly audits: Readonly<Record<string, Audit>>;
    readonly categories: Readonly<Record<string, Category>>;
  }
  export default function lighthouse(address: string, flags: object): Promise<{ readonly lhr: Result } | undefined>;
}
