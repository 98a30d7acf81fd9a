import { FILES_STORE } from '../agreements.ts';
import { within } from '../outbox/store.ts';

const BOUND = 4000;

export const eraseFiles = (): Promise<void> =>
  within(
    BOUND,
    new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(FILES_STORE);
      request.addEventListener('success', () => resolve());
      request.addEventListener('error', () => reject(request.error!));
    }),
  );
