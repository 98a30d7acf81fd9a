import { FILES_STORE } from '../agreements.ts';

/** Every picture and paper that is kept here, whether it has been sent or not. */
export const eraseFiles = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(FILES_STORE);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error!));
  });
