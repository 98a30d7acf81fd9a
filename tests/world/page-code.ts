// Modules of the product that a simulated page runs.
export * as sending from '../../src/form/send-quote.ts';
export { submitQuote } from '../../src/form/submit-quote.ts';
export { toasts } from '../../src/notices/toasts.ts';
export { outbox } from '../../src/outbox/phone-outbox.ts';
export { keepSending } from '../../src/phone/keep-sending.ts';
export { sendMessage } from '../../src/receipts/send-message.ts';
