import type { storage as words } from '../content/phone.ts';
import { isApple, isInstalled } from './installed.ts';

export type Health = keyof typeof words;

const NEARLY_FULL = 5_000_000;

export async function storageHealth(): Promise<Health> {
  const manager = navigator.storage as StorageManager | undefined;
  const room = await manager?.estimate?.().catch(() => undefined);
  if (room?.quota !== undefined && room.quota - (room.usage ?? 0) < NEARLY_FULL) return 'full';
  const persisted = await manager?.persisted?.().catch(() => undefined);
  if (persisted) return 'protected';
  if (isApple()) return isInstalled() ? 'appleApp' : 'appleTab';
  if (persisted === undefined) return 'unknown';
  return isInstalled() ? 'evictableApp' : 'evictableTab';
}
