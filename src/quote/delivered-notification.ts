import { folioOf } from './folio.ts';

/** By the folio alone: others may see the screen. Whoever was first to deliver it shows it, a hidden page or the worker. */
export function showDelivered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  const folio = folioOf(id);
  return registration.showNotification(`Cotización ${folio} entregada`, {
    body: `Quote ${folio} delivered`,
    tag: id,
    icon: '/favicon.svg',
  });
}
