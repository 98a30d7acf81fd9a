/** The outbox as a chunk of its own, for a quote that is sent before the rest of the page has come. */
export { outbox } from '../outbox/phone-outbox.ts';
