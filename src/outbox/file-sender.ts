/** Sender of files, which comes with the first of them. A worker cannot import later: its build has sw/file-sender.ts here. */
export const loadFileSender = () => import('./send-part.ts');
