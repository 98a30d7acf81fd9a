// Types of Lighthouse that the benchmarks use. They are declared here, because `npm test` checks types where the
// package of Lighthouse is not installed.
declare module 'lighthouse' {
  export interface Result {
    readonly audits: Readonly<Record<string, Audit>>;
    readonly categories: Readonly<Record<string, Category>>;
  }

  interface Audit {
    readonly id: string;
    readonly title: string;
    readonly score: number | null;
    readonly scoreDisplayMode: string;
    readonly numericValue?: number;
    readonly details?: object;
  }

  interface Category {
    readonly id: string;
    readonly title: string;
    readonly score: number | null;
    readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
  }

  interface Flags {
    readonly port: number;
    readonly output: 'json';
    readonly logLevel: 'error';
    readonly onlyCategories?: readonly string[];
    readonly throttlingMethod?: 'provided';
  }

  export default function lighthouse(address: string, flags: Flags): Promise<{ readonly lhr: Result } | undefined>;
}
