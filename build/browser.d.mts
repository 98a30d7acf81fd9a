export function findChromium(): Promise<string | undefined>;
export function ensureChromium(): Promise<void>;
export function findOnPath(name: string): string | undefined;
