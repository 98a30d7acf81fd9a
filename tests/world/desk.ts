import { isOpen, SERVICE, dayOf, type Answered, type Asked, type Lead } from './model.ts';
import { idFrom } from './phone.ts';
import type { Server } from './server.ts';
import { DAY, SECOND, type Time } from './time.ts';

const PEOPLE = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002'] as const;

/** The sales team, at its desks: it takes, answers, withdraws and says what became of an offer. */
export class Desk {
  readonly #server: Server;
  readonly #time: Time;
  readonly #trace: (line: () => string) => void;

  constructor(server: Server, time: Time, trace: (line: () => string) => void) {
    this.#server = server;
    this.#time = time;
    this.#trace = trace;
  }

  /** Looks at what waits, and does one thing about one lead. */
  async work(chance: () => number): Promise<void> {
    const by = PEOPLE[Math.floor(chance() * PEOPLE.length)]!;
    const leads = await this.#leads(by);
    const open = leads.filter(isOpen);
    // Now and then also one that waits for nothing.
    const about = chance() < 0.9 ? open : leads;
    const lead = about[Math.floor(chance() * about.length)];
    if (!lead) return;
    const { quote_id } = lead;
    if (lead.assignee !== by) {
      const status = lead.assignee === null ? 'tomada' : lead.status;
      const taken = await this.#ask({
        method: 'PATCH',
        table: 'quote_desk',
        of: quote_id,
        by,
        shown: [],
        body: { status, assignee: by },
      });
      if (taken?.status !== 200) return;
      await this.#wait(chance() * 60 * SECOND);
    }
    if (lead.accepted_state === 'aceptada') {
      const state = chance() < 0.7 ? 'reservada' : 'sinespacio';
      return this.#move(lead, String(lead.accepted), state, by, chance);
    }
    const roll = chance();
    if (roll < 0.15 && lead.last_answer) return this.#move(lead, lead.last_answer, 'retirada', by, chance);
    const kind = roll < 0.7 ? 'oferta' : roll < 0.85 ? 'pregunta' : 'mensaje';
    const offer = kind === 'oferta' && {
      price: 1 + Math.floor(chance() * 900),
      price_for: 'total',
      currency: 'USD',
      kilos: 100,
      valid_until: dayOf(this.#time.now + Math.floor(chance() * 4) * DAY),
    };
    await this.#ask({
      method: 'POST',
      table: 'quote_answers',
      by,
      shown: [],
      ignoresDuplicates: true,
      body: { id: idFrom(chance), quote_id, kind, body: 'Sale el jueves.', ...offer },
    });
  }

  async #move(lead: Lead, answer_id: string, state: string, by: string, chance: () => number): Promise<void> {
    const body = { id: idFrom(chance), quote_id: lead.quote_id, answer_id, state, word: 'Así quedó.' };
    await this.#ask({ method: 'POST', table: 'offer_moves', by, shown: [], ignoresDuplicates: true, body });
  }

  /** Somebody asks for their data to be blocked, and some of them to be erased. */
  async erase(chance: () => number): Promise<void> {
    const leads = await this.#leads(SERVICE);
    const lead = leads[Math.floor(chance() * leads.length)];
    if (!lead) return;
    const of = lead.quote_id;
    const body = { blocked_at: new Date(this.#time.now).toISOString() };
    await this.#ask({ method: 'PATCH', table: 'quote_desk', of, by: SERVICE, shown: [], body });
    if (chance() < 0.5) return;
    await this.#wait(chance() * DAY);
    await this.#ask({ method: 'DELETE', table: 'quotes', of, by: SERVICE, shown: [] });
  }

  async #leads(by: string): Promise<readonly Lead[]> {
    const answered = await this.#ask({ method: 'GET', table: 'desk_leads', by, shown: [] });
    return (answered?.rows ?? []) as readonly Lead[];
  }

  /** The same request until it is answered, a few times. */
  async #ask(asked: Asked): Promise<Answered | undefined> {
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        const given = await this.#server.serve(asked);
        if (asked.method !== 'GET')
          this.#trace(
            () =>
              `desk ${asked.method} ${asked.table} ${String(asked.of ?? asked.body?.['quote_id']).slice(0, 8)}: ${given.status}`,
          );
        if (given.status < 500) return given;
      } catch {
        // The line broke off: whether it was done is not known.
      }
      await this.#wait(5 * SECOND);
    }
    return undefined;
  }

  #wait(wait: number): Promise<void> {
    return new Promise((resolve) => this.#time.after(wait, resolve));
  }
}
