import * as z from 'zod/mini';
import { mainWords } from '../../content/bilingual.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { readShape, type Valid } from '../../lead/validation.ts';
import { persisted } from '../../phone/persisted.ts';
import { createStore } from '../../ui/create-store.ts';
import type { Lead } from '../lead/lead.ts';

const shape = { sound: z.boolean(), count: z.boolean(), notification: z.boolean() };

/** Ways in which this computer announces a new lead. */
export type Alerts = Valid<typeof shape>;

const DEFAULTS: Alerts = { sound: true, count: true, notification: false };

const storedAlerts = persisted('aeropuente.deskTeam.alerts', (stored) => readShape(shape, stored, DEFAULTS));
export const alerts = createStore<Alerts>(storedAlerts.get() ?? DEFAULTS);

/** True if this device gets alerts as push notifications, which arrive even while the desk is closed. */
export const isPushed = createStore(false);

export function setAlerts(changes: Partial<Alerts>): void {
  alerts.set({ ...alerts.read(), ...changes });
  storedAlerts.set(alerts.read());
}

/** Announces new leads by sound and notification. Shows only folios, because others may see the screen. */
export function announceLeads(came: readonly Lead[]): void {
  const { sound, notification } = alerts.read();
  if (sound) ring();
  // A device with push gets a notification from the push service already.
  if (!notification || isPushed.read() || !('Notification' in window) || Notification.permission !== 'granted') return;
  const folios = came.map(({ folio }) => folio).join(', ');
  try {
    const shown = new Notification(mainWords(deskTeam.alerts.came(folios)), { tag: 'aeropuente.desk' });
    shown.addEventListener('click', () => window.focus());
  } catch {
    // Chrome on Android throws here: it allows notifications only from a service worker.
  }
}

export function ring(): void {
  // Browsers block sound until the first input on the page.
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
