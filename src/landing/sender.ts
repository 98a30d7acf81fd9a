/** What sends, for who needs it before the rest of the page. */
export { outbox } from '../outbox/phone-outbox.ts';
