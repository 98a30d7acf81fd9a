import type { Page } from '@playwright/test';

const QUOTE = { nombre: 'W', empresa: 'W', telefono: '6641234567', tipo_carga: 'general' };
const STATE = { kind: 'waiting', attempts: 0, sendingUntil: 0, trouble: 'unreachable' };

/** Writes quotes that wait to be sent into the phone's database. */
export function seed(page: Page, count: number): Promise<void> {
  return page.evaluate(
    ({ many, quote, state }) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('quotes', 'readwrite');
          const now = Date.now();
          for (let at = 0; at < many; at += 1) {
            const id = crypto.randomUUID();
            const own = { id, email: `w${at}@w.mx`, peso: 1 + Math.floor(Math.random() * 1e6) };
            const waits = { ...state, since: now, nextTry: now };
            transaction
              .objectStore('quotes')
              .put({ id, createdAt: now - at, quote: { ...quote, ...own }, state: waits });
          }
          transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    { many: count, quote: QUOTE, state: STATE },
  );
}
