import { expect, test } from 'vitest';
import { quoteForm } from '../../src/content/quote-form.ts';

test('deliveries are told in one sentence, however many', () => {
  expect(quoteForm.told(['AP-DWEK-R7JH']).es).toBe('Cotización AP-DWEK-R7JH entregada.');
  expect(quoteForm.told(['AP-1', 'AP-2', 'AP-3']).es).toBe('3 cotizaciones entregadas: AP-1, AP-2, AP-3.');
});
