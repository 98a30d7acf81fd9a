import { folioOf } from './folio.ts';

// By the folio alone: others may see the screen.

/** Whoever was first to deliver it shows it, a hidden page or the worker. */
export function showDelivered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  const folio = folioOf(id);
  return show(registration, id, `Cotización ${folio} entregada`, `Quote ${folio} delivered`);
}

export function showAnswered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  const folio = folioOf(id);
  return show(registration, id, `Respuesta lista: cotización ${folio}`, `Answer ready: quote ${folio}`);
}

/** The later word about a quote takes the place of the earlier. */
function show(registration: ServiceWorkerRegistration, tag: string, title: string, body: string): Promise<void> {
  return registration.showNotification(title, { body, tag, icon: '/favicon.svg' });
}
