import { folioOf } from '../../src/lead/folio.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { readEntry, type Entry } from '../../src/outbox/entry.ts';
import { idFrom } from '../chance.ts';
import { Phone, type Page } from './phone.ts';
import { SECOND } from './time.ts';

export class Person extends Phone {
  #count = 0;

  send(chance: () => number): void {
    this.#press(this.#page(chance), this.#type(chance));
  }

  sendAndGo(chance: () => number): void {
    const page = this.#page(chance);
    const quote = this.#type(chance);
    this.#press(page, quote);
    this.around.time.after(chance() * 40, () =>
      chance() < 0.5 ? page.realm.isAlive && this.close(page) : this.kill(),
    );
    // A person who saw no receipt presses the button again. The draft still has the same id.
    this.around.time.after(10 * SECOND, () => this.#press(this.pages[0] ?? this.open(), quote));
  }

  /** Sends the same draft from two tabs, sometimes with different texts. */
  sendTwice(chance: () => number): void {
    const quote = this.#type(chance);
    const other = this.pages.length < 3 ? this.open() : this.#page(chance);
    this.#press(this.#page(chance), quote);
    const second = chance() < 0.5 ? quote : { ...quote, nombre: `${quote.nombre} B` };
    this.around.time.after(chance() * 100, () => this.#press(other, second));
  }

  /** Sends a quote and corrects it at once. If the first answer is lost, only the server knows which text is stored. */
  sendAndChange(chance: () => number): void {
    const quote = this.#type(chance);
    if (chance() < 0.7) this.setLine('lossy');
    const page = this.#page(chance);
    this.#press(page, quote);
    this.around.time.after(6 * SECOND + chance() * 20 * SECOND, () => {
      const isWaiting = this.#entries().some(({ id, state }) => id === quote.id && state.kind === 'waiting');
      if (isWaiting) this.#press(page, { ...quote, peso: quote.peso + 1 }, { corrects: true });
    });
  }

  /** Corrects a quote as a person does with the receipt’s button (src/receipts/Receipt.tsx). */
  correct(chance: () => number): void {
    const page = this.#page(chance);
    const entries = this.#entries().filter(({ quote }) => quote);
    const entry = entries[Math.floor(chance() * entries.length)];
    if (!entry) return;
    const { id, state, quote } = entry;
    const changed = { ...quote!, peso: 100 + Math.floor(chance() * 10_000) };
    const isDelivered = state.kind === 'delivered' || (state.kind === 'refused' && state.refusal.kind === 'superseded');
    if (!isDelivered) return this.#press(page, changed, { corrects: true });
    this.#press(page, { ...changed, id: idFrom(chance), reemplaza: folioOf(id) }, { replaced: id });
  }

  accept(chance: () => number): void {
    this.#reply('aceptada', chance);
  }

  ask(chance: () => number): void {
    this.#reply('pregunta', chance);
  }

  #page(chance: () => number): Page {
    return this.pages[Math.floor(chance() * this.pages.length)] ?? this.open();
  }

  #entries(): readonly Entry[] {
    return this.disk.entries().map(readEntry);
  }

  #type(chance: () => number): Quote {
    const mark = `${this.number}-${(this.#count += 1)}`;
    return {
      id: idFrom(chance),
      nombre: `María ${mark}`,
      empresa: `Berries ${mark}`,
      email: `ventas${mark}@berries.mx`,
      telefono: '+52 998 765 4321',
      peso: 100 + Math.floor(chance() * 10_000),
      tipo_carga: 'perecederos',
    };
  }

  #press(page: Page, quote: Quote, about: { corrects?: boolean; replaced?: string } = {}): void {
    const { realm, code } = page;
    const { witness, trace } = this.around;
    if (!realm.isAlive || page.isBusy) return;
    this.wake(page);
    page.isBusy = true;
    let stored: Entry | undefined;
    witness.meant(quote.id);
    trace(() => `${realm.name} is pressed: ${quote.id.slice(0, 8)} ${quote.empresa}`);
    const { corrects = false } = about;
    const onStored = (entry: Entry) => {
      stored = entry;
      // The form gives the quote a new id if another text is already stored under the old id.
      if (entry.id !== quote.id && !witness.keepsAs(quote)) witness.meant(entry.id);
      witness.kept(realm, entry, corrects);
    };
    const onStoreFailed = () => realm.isAlive && witness.fail(`${realm.name} could not store a quote`);
    void code
      .submitQuote(
        quote,
        { ...about, corrects },
        { loadSendQuote: () => Promise.resolve(code.sending), onStored, onStoreFailed },
      )
      .then(
        (ending) => witness.ended(realm, stored?.id ?? quote.id, ending),
        (error: unknown) => realm.isAlive && witness.fail(`a press of the form ended with ${String(error)}`),
      )
      .finally(() => (page.isBusy = false));
  }

  #reply(kind: 'aceptada' | 'pregunta', chance: () => number): void {
    const page = this.#page(chance);
    const open = this.#entries().flatMap(({ id, state, quote, answers }) =>
      state.kind === 'delivered' && quote
        ? answers
            .filter((answer) => kind === 'pregunta' || answer.state === 'vigente')
            .map((answer) => [id, answer.id] as const)
        : [],
    );
    const [quoteId, answerId] = open[Math.floor(chance() * open.length)] ?? [];
    if (!quoteId || !answerId) return;
    this.wake(page);
    const reply = { id: idFrom(chance), answerId, kind, body: kind === 'pregunta' ? '¿Y el viernes?' : '' };
    this.around.trace(() => `${page.realm.name}: ${kind} ${reply.id.slice(0, 8)} of ${quoteId.slice(0, 8)}`);
    void page.code.sendMessage(quoteId, reply).then(
      (how) => how === 'kept' && page.realm.isAlive && this.around.witness.replied(this, quoteId, reply),
      () => undefined,
    );
  }
}
