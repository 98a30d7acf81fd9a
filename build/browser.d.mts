export function findChromium(): Promise<string | undefined>;
export function findHeadlessShell(): Promise<string | undefined>;
export function ensureChromium(): Promise<boolean>;
export function findOnPath(name: string): string | undefined;
