import * as z from 'zod/mini';
import { mainWords } from '../../content/bilingual.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { readShape, type Valid } from '../../lead/validation.ts';
import { tryStorage } from '../../phone/storage-access.ts';
import { createStore } from '../../ui/create-store.ts';
import type { Lead } from '../lead/lead.ts';
import { readJson } from '../api/tab-storage.ts';

const shape = { sound: z.boolean(), count: z.boolean(), notification: z.boolean() };

/** How a new quote is told on this computer. */
export type Alerts = Valid<typeof shape>;

const KEPT = 'aeropuente.deskTeam.alerts';
const USUAL: Alerts = { sound: true, count: true, notification: false };

const kept = readJson(tryStorage(() => localStorage.getItem(KEPT)) ?? null);
export const alerts = createStore<Alerts>(readShape(shape, kept, USUAL) ?? USUAL);

/** Is this device told by a push service? */
export const isPushed = createStore(false);

export function setAlerts(changes: Partial<Alerts>): void {
  alerts.set({ ...alerts.read(), ...changes });
  tryStorage(() => localStorage.setItem(KEPT, JSON.stringify(alerts.read())));
}

/** An alert on a shared screen tells a folio, and nothing else. */
export function announce(came: readonly Lead[]): void {
  const { sound, notification } = alerts.read();
  if (sound) ring();
  // Where this device is pushed to, the same is on its screen already.
  if (!notification || isPushed.read() || !('Notification' in window) || Notification.permission !== 'granted') return;
  const folios = came.map(({ folio }) => folio).join(', ');
  try {
    const shown = new Notification(mainWords(deskTeam.alerts.came(folios)), { tag: 'aeropuente.desk' });
    shown.addEventListener('click', () => window.focus());
  } catch {
    // Chrome on Android has them in a worker alone.
  }
}

/** Two notes of a hundred milliseconds, made and not fetched. */
export function ring(): void {
  // A page that came back by itself, and that nobody has touched since, may make no sound.
  if ((navigator as Partial<Navigator>).userActivation?.hasBeenActive === false) return;
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.value = 0.08;
  volume.connect(context.destination);
  for (const [at, frequency] of [880, 1175].entries()) {
    const note = context.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(context.currentTime + at * 0.13);
    note.stop(context.currentTime + at * 0.13 + 0.1);
  }
  setTimeout(() => void context.close(), 1000);
}
