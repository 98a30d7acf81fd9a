// What the simulated server runs of the product: how writes are told only once they are on disk, and how alerts are sent.
export { sendDue } from '../../server/alerts/send-due.ts';
export { inGroups } from '../../server/database/group-commit.ts';
