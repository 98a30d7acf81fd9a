export async function notifyWhereAllowed(
  notify: (registration: ServiceWorkerRegistration) => Promise<void>,
): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) await notify(registration).catch(() => undefined);
}
