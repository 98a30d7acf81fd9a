/**
 * Loads the file sender when the first file is sent. A service worker cannot import modules later, so its build
 * replaces this module by sw/file-sender.ts.
 */
export const loadFileSender = () => import('./send-part.ts');
