import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { freshDataDirectory } from '../run-folder.ts';
import {
  askAsPhone,
  field,
  hireForLong,
  openDesk,
  row,
  rows,
  sayAsPhone,
  seesSoon,
  sendQuote,
  sheet,
  sheetOf,
  type Sent,
} from './desk-visitor.ts';
import { Service } from './service.ts';
import { DESKTOP, expect, test as base, withoutWorker } from './visitor.ts';

// A morning at the desk: 28 open leads, ten answers, three questions, a booking, and a lead given to a colleague. The
// test checks the number of key presses and clicks. It only prints the seconds, because they depend on the machine.

const LEADS = 28;
const ANSWERS = 10;
const QUESTIONS = 3;
const PRICE = '4.10';
const QUESTION = '¿De dónde sale?';

interface Hand {
  readonly presses: () => number;
  readonly key: (key: string, times?: number) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Presses Shift and Tab until the target has the focus. */
  readonly backTo: (target: Locator) => Promise<void>;
  readonly click: (target: Locator) => Promise<void>;
}

function handAt(page: Page): Hand {
  let presses = 0;
  return {
    presses: () => presses,
    async key(key, times = 1) {
      for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
      presses += times;
    },
    async type(text) {
      await page.keyboard.type(text);
      presses += text.length;
    },
    async backTo(target) {
      const isThere = () => target.evaluate((element) => element === document.activeElement);
      for (let tab = 0; tab < 20 && !(await isThere()); tab += 1) await this.key('Shift+Tab');
      await expect(target).toBeFocused();
    },
    async click(target) {
      await target.click();
      presses += 1;
    },
  };
}

/**
 * Steps of a morning at the desk, by keyboard or mouse. `handOver` gives the lead of the last question to a colleague.
 */
interface Walk {
  readonly by: string;
  readonly presses: number;
  readonly answer: (page: Page, hand: Hand, lead: Sent) => Promise<void>;
  readonly ask: (page: Page, hand: Hand, lead: Sent) => Promise<void>;
  readonly book: (page: Page, hand: Hand, lead: Sent) => Promise<void>;
  readonly handOver: (page: Page, hand: Hand) => Promise<void>;
}

const isHeld = (page: Page) => expect(sheet(page).getByRole('button', { name: 'Deshacer' })).toBeVisible();
const button = (page: Page, name: string | RegExp) => sheet(page).getByRole('button', { name, exact: true });
const hasFocus = (target: Locator) => expect(target).toBeFocused();

const heir = (page: Page) => page.getByRole('combobox', { name: 'Reasignar a' });

const byKeys: Walk = {
  by: 'keys',
  presses: 151,
  async answer(page, hand, lead) {
    if ((await sheet(page).count()) > 0) await hand.key('j');
    await hand.key('r');
    await expect(sheetOf(page, lead.folio)).toBeVisible();
    await hasFocus(field(page, /^Precio/));
    await hand.type(PRICE);
    await hand.key('Control+Enter');
    await isHeld(page);
  },
  async ask(page, hand, lead) {
    await hand.key('j');
    await hand.key('r');
    await expect(sheetOf(page, lead.folio)).toBeVisible();
    await hasFocus(field(page, /^Precio/));
    await hand.key('Shift+Tab');
    await hand.key('ArrowRight');
    await expect(sheet(page).getByRole('radio', { name: 'Pregunta' })).toBeChecked();
    await hand.key('Tab');
    await hasFocus(field(page, /^Respuesta/));
    await hand.type(QUESTION);
    await hand.key('Control+Enter');
    await isHeld(page);
  },
  async book(page, hand) {
    await hand.key('Escape');
    await hasFocus(page.getByRole('listbox'));
    await hand.key('Home');
    await hand.key('r');
    await hasFocus(sheet(page).getByLabel(/^Guía aérea/));
    await expect(button(page, 'Reservada')).toBeEnabled();
    await hand.key('Enter');
  },
  async handOver(page, hand) {
    await hand.backTo(button(page, 'Más'));
    await hand.key('Enter');
    await hand.key('ArrowDown', 2);
    await hasFocus(button(page, 'Reasignar'));
    await hand.key('Enter');
    await hasFocus(heir(page));
    await expect(heir(page)).toContainText('Beto Sánchez');
    await hand.type('B');
    await expect(heir(page)).not.toHaveValue('');
    await hand.key('Tab');
    await hand.key('Enter');
  },
};

const byMouse: Walk = {
  by: 'mouse',
  presses: 135,
  async answer(page, hand, lead) {
    await hand.click(row(page, lead));
    await hand.click(field(page, /^Precio/));
    await hand.type(PRICE);
    await hand.click(button(page, 'Tomar y enviar oferta'));
    await isHeld(page);
  },
  async ask(page, hand, lead) {
    await hand.click(row(page, lead));
    await hand.click(sheet(page).getByRole('radio', { name: 'Pregunta' }));
    await hand.click(field(page, /^Respuesta/));
    await hand.type(QUESTION);
    await hand.click(button(page, 'Tomar y enviar pregunta'));
    await isHeld(page);
  },
  async book(page, hand, lead) {
    await hand.click(row(page, lead));
    await hand.click(button(page, 'Reservada'));
  },
  async handOver(page, hand) {
    await hand.click(button(page, 'Más'));
    await hand.click(button(page, 'Reasignar'));
    await expect(heir(page)).toContainText('Beto Sánchez');
    await hand.click(heir(page));
    await hand.type('B');
    await hand.key('Enter');
    await hand.click(sheet(page).getByRole('form').getByRole('button', { name: 'Reasignar' }));
  },
};

const test = base.extend({
  service: async ({}, use) => {
    const service = await Service.start(await freshDataDirectory());
    await use(service);
    await service.stop();
  },
  baseURL: async ({ service }, use) => use(service.origin),
});

test.use({ viewport: DESKTOP });

for (const walk of [byKeys, byMouse]) {
  test(`a morning by ${walk.by} needs few presses and clicks`, { tag: '@full' }, async ({ page, browser, service }) => {
    const leads: Sent[] = [];
    for (let each = 0; each < LEADS; each += 1) leads.push(await sendQuote(service));
    const beto = await browser.newPage({ baseURL: service.origin, ...withoutWorker });
    await openDesk(beto, await hireForLong(service, 'Beto Sánchez'));
    await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', String(LEADS));
    const hand = handAt(page);
    const began = Date.now();

    for (const lead of leads.slice(0, ANSWERS)) await walk.answer(page, hand, lead);
    const asked = leads.slice(ANSWERS, ANSWERS + QUESTIONS);
    for (const lead of asked) await walk.ask(page, hand, lead);
    await walk.handOver(page, hand);
    await expect(sheet(page).locator('header')).toContainText('Responsable: Beto Sánchez');
    const [first] = leads;
    const offers = () => askAsPhone(service, first!.id);
    await expect.poll(offers).toHaveLength(1);
    const [offer] = await offers();
    const acceptance = { id: randomUUID(), quote_id: first!.id, answer_id: offer!['id'], kind: 'aceptada', body: '' };
    await sayAsPhone(service, 'quote_replies', 'id', acceptance);
    await seesSoon(page, row(page, first!).getByText('Cliente aceptó'));
    await walk.book(page, hand, first!);
    await expect(sheet(page).locator('header')).toContainText('Reservada');

    console.log(`A morning by ${walk.by}: ${hand.presses()} presses in ${Math.round((Date.now() - began) / 1000)} s.`);
    for (const { id } of leads.slice(0, ANSWERS))
      await expect.poll(() => askAsPhone(service, id)).toMatchObject([{ kind: 'oferta', price: Number(PRICE) }]);
    for (const { id } of asked)
      await expect.poll(() => askAsPhone(service, id)).toMatchObject([{ kind: 'pregunta', body: QUESTION }]);
    expect(hand.presses()).toBe(walk.presses);
    await beto.close();
  });
}
