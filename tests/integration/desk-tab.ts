import { expect, vi } from 'vitest';
import type * as Actions from '../../src/desk/api/lead-changes.ts';
import type * as Leads from '../../src/desk/api/lead-feed.ts';
import type { Person } from './signing-in.ts';

/** Code of the desk in a tab, with the real Supabase client but without React. */
export interface DeskTab {
  readonly me: string;
  readonly leads: typeof Leads;
  readonly actions: typeof Actions;
  /** Makes the desk poll as if its window got the focus. */
  readonly look: () => void;
}

export async function openDeskTab(origin: string, { email, password }: Person): Promise<DeskTab> {
  // Each tab loads its own modules, as in a browser.
  vi.resetModules();
  const page = new EventTarget();
  vi.stubGlobal('location', { origin });
  vi.stubGlobal('sessionStorage', undefined);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const [{ backend }, leads, actions] = await Promise.all([
    import('../../src/desk/api/backend.ts'),
    import('../../src/desk/api/lead-feed.ts'),
    import('../../src/desk/api/lead-changes.ts'),
  ]);
  const { data, error } = await backend.auth.signInWithPassword({ email, password });
  expect(error).toBe(null);
  return { me: data.user!.id, leads, actions, look: () => void page.dispatchEvent(new Event('focus')) };
}
