/**
 * Loads the code that sends files when the first file is sent. A service worker cannot import modules later, so the
 * worker's build replaces this module by sw/file-sender.ts.
 */
export const loadFileSender = () => import('./send-part.ts');
