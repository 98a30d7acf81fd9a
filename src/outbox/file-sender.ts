/**
 * Loads the file sender with the first file. A worker cannot import later, so its build replaces this module by
 * sw/file-sender.ts.
 */
export const loadFileSender = () => import('./send-part.ts');
