/** Where a lead stands. */
export const STATUSES = ['nueva', 'tomada', 'respondida', 'ganada', 'perdida'] as const;
