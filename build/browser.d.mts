export function findChromium(): Promise<string | undefined>;
export function ensureChromium(): Promise<boolean>;
export function findOnPath(name: string): string | undefined;
