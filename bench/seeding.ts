import type { Page } from '@playwright/test';

/** Writes quotes into the phone's database, in the state that they would have after an outage. */
export function seed(page: Page, count: number, waited: { attempts: number; nextTryIn: number }): Promise<void> {
  return page.evaluate(
    ({ count: many, waited: { attempts, nextTryIn } }) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('quotes', 'readwrite');
          const now = Date.now();
          for (let at = 0; at < many; at += 1) {
            const id = crypto.randomUUID();
            const peso = 1 + Math.floor(Math.random() * 1e6);
            transaction.objectStore('quotes').put({
              id,
              createdAt: now - at,
              quote: {
                id,
                nombre: 'W',
                empresa: 'W',
                email: `w${at}@w.mx`,
                telefono: '6641234567',
                peso,
                tipo_carga: 'general',
              },
              state: {
                kind: 'waiting',
                attempts,
                since: now,
                nextTry: now + nextTryIn,
                sendingUntil: 0,
                trouble: 'unreachable',
              },
            });
          }
          transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    { count, waited },
  );
}
