import { request, type Agent } from 'node:http';
import type { Page } from '@playwright/test';
import { asInsert, INSERT, sampleQuote } from '../tests/integration/sample-quote.ts';

/** Fills and submits our form. Resolves with the milliseconds until the receipt is shown, measured in the page. */
export function ask(page: Page, nombre: string): Promise<number> {
  return page.evaluate(async (name) => {
    const form = document.querySelector<HTMLFormElement>('#reservar-espacio')!;
    form.scrollIntoView({ behavior: 'instant' });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    while (form.ariaBusy === 'true' || !form.closest('[data-awake]')) await pause();
    const empresa = `${name}, S.A.`;
    const values = { nombre: name, empresa, email: 'b@banco.mx', telefono: '6641234567', tipo_carga: 'general' };
    for (const [field, value] of Object.entries({ ...values, peso: String(1 + Math.floor(Math.random() * 1e6)) })) {
      const control = form.elements.namedItem(field) as HTMLInputElement;
      control.value = value;
      control.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const pressed = performance.now();
    form.requestSubmit();
    const hasReceipt = () =>
      [...document.querySelectorAll('article')].some(({ textContent }) => textContent.includes(empresa));
    while (!hasReceipt()) await pause();
    return performance.now() - pressed;
  }, nombre);
}

/** Inserts a sample quote over HTTP, without a page. Resolves with the milliseconds until the server answers. */
export function insert(origin: string, agent: Agent): Promise<number> {
  const began = performance.now();
  const { method, headers, body } = asInsert(sampleQuote());
  return new Promise((resolve, reject) => {
    const asked = request(origin + INSERT, { method, agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 201) resolve(performance.now() - began);
        else reject(new Error(`The server answered ${answer.statusCode}`));
      });
    });
    asked.on('error', reject).end(body);
  });
}
