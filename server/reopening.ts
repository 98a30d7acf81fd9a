import type { Backend } from './backend.ts';
import { DirectoryInUse } from './database/data-directory.ts';

export type RunningBackend = Pick<Backend, 'serve' | 'announce' | 'close'> & {
  /** True when the backend is open. Absent if it opened at the first attempt. */
  readonly isOpen?: () => boolean;
};

/** Opens the backend. If the database cannot be opened, `closed` answers, and the server tries again. */
export async function openOrRetry(
  open: () => Promise<Backend>,
  closed: Pick<Backend, 'serve'>,
  place: string,
  pause = 10_000,
): Promise<RunningBackend> {
  let reason: string;
  try {
    return await open();
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    reason = (error as Error).message;
    console.error(reason);
    console.error('The pages are served; quotes stay on the phones until this is corrected. Trying again every 10 s.');
  }
  let present: Pick<Backend, 'serve'> & Partial<Backend> = closed;
  let address: string | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let trying = Promise.resolve();
  let closing = false;
  // Attempts run one after another, because migrating a large database takes longer than the pause.
  const tryLater = () => (timer = setTimeout(() => (trying = tryAgain()), pause));
  async function tryAgain(): Promise<void> {
    const opened = await open().catch(({ message }: Error) => {
      if (message !== reason) console.error((reason = message));
    });
    if (opened) present = opened;
    if (closing) return;
    if (!opened) return void tryLater();
    if (address) opened.announce(address);
    console.log(`Quotes are stored in ${place} now.`);
  }
  tryLater();
  return {
    serve: (request, response) => present.serve(request, response),
    isOpen: () => present.close !== undefined,
    announce(at) {
      address = at;
      // The backend may have opened before the server had an address, so it gets the address now.
      present.announce?.(at);
    },
    async close() {
      closing = true;
      clearTimeout(timer);
      await trying;
      await present.close?.();
    },
  };
}
