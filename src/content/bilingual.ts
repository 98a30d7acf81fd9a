export interface Bilingual {
  readonly es: string;
  readonly en: string;
}
