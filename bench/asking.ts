import type { Page } from '@playwright/test';

/** Fills our real form and submits it; resolves with the milliseconds until its receipt stood in the page, in the page's own time. */
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
    const kept = () =>
      [...document.querySelectorAll('article')].some(({ textContent }) => textContent.includes(empresa));
    while (!kept()) await pause();
    return performance.now() - pressed;
  }, nombre);
}
