import { afterEach, expect, test, vi } from 'vitest';
import { storage as words } from '../../src/content/phone.ts';
import { storageHealth } from '../../src/phone/storage.ts';

interface Phone {
  readonly persisted?: boolean;
  readonly userAgent?: string;
  readonly quota?: number;
  /** Property by which a page opened from the home screen is recognised on Android or iOS. */
  readonly installed?: 'display-mode' | 'standalone';
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';

afterEach(() => void vi.unstubAllGlobals());

const protectedSays = 'Protegida: el teléfono no la borrará por su cuenta.';

test.each<[name: string, says: string, phone: Phone]>([
  ['granted in a tab', protectedSays, { persisted: true }],
  ['granted in the app', protectedSays, { persisted: true, installed: 'display-mode' }],
  ['denied in a tab', 'El navegador podría borrarla si se queda sin espacio', { persisted: false }],
  ['denied in the app', 'El teléfono podría borrarla si se queda', { persisted: false, installed: 'display-mode' }],
  ['not told by the browser', 'No sabemos si este navegador puede borrarla.', {}],
  ['an iPhone’s tab', 'Safari borra lo guardado si no abre esta', { persisted: false, userAgent: IPHONE }],
  ['an iPhone’s app', 'Guardada en la app', { userAgent: IPHONE, installed: 'standalone' }],
  ['a phone that is nearly full', 'Este teléfono casi no tiene espacio', { persisted: true, quota: 1000 }],
])('a receipt says if data are kept: %s', async (_, says, { persisted, quota, installed, userAgent = 'Chrome' }) => {
  const storage = {
    ...(persisted !== undefined && { persisted: async () => persisted }),
    estimate: async () => ({ quota: quota ?? 1e9, usage: 0 }),
  };
  const screen = { platform: '', maxTouchPoints: 5, standalone: installed === 'standalone' };
  vi.stubGlobal('navigator', { storage, userAgent, ...screen });
  vi.stubGlobal('matchMedia', () => ({ matches: installed === 'display-mode' }));
  expect(words[await storageHealth()].es).toContain(says);
});
