import { afterAll, expect, test, vi } from 'vitest';
import { drawsFrom } from '../chance.ts';
import { quoting } from './callers.ts';
import { pgliteEngine } from './engines.ts';
import { actsOn } from './lead-acts.ts';
import { hasDovecot } from './mailbox-server.ts';
import { ana, mailOf, repliesByMail, type MailParts } from './replies-by-mail.ts';
import type { SampleQuote } from './sample-quote.ts';

const engine = await pgliteEngine();
afterAll(() => engine.close());
const { ask } = actsOn(engine);
const { mailed, opened, received } = repliesByMail(engine);
const send = quoting(engine);

test.skipIf(!hasDovecot)(
  'a thousand replies without usable headers reach the right lead or wait for a colleague',
  { timeout: 400_000 },
  async () => {
    const draw = drawsFrom(64);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const quotes: SampleQuote[] = [];
    // Every fifth quote comes from the same customer as the quote before.
    for (let at = 0; at < 150; at += 1)
      quotes.push(await send(at % 5 === 4 ? { email: quotes.at(-1)!.email, peso: 100 + at } : {}));
    const sent = await mailed(quotes);
    const box = await opened();
    const expected = new Map<string, string | null>();
    const mails: string[] = [];
    for (let at = 0; at < 1000; at += 1) {
      const mine = sent[at % sent.length]!;
      const other = sent[(at + 1 + draw.whole(sent.length - 5)) % sent.length]!;
      const { quote } = mine;
      const id = draw.sometimes(0.1) ? '' : `<${draw.id()}@programa.mx>`;
      const stranger = `${draw.id()}@x.mx`;
      const text = `Respuesta ${at}`;
      const ids = `In-Reply-To: ${mine.id}`;
      const references = `References: ${mine.references}\r\n\t${mine.id}`;
      const re = draw.oneOf(['Re: ', 'RV: ', 'RE: Re: ', 'Fwd: ', '回复：', '']);
      const encoded = `=?utf-8?b?${Buffer.from(re + mine.subject).toString('base64')}?=`;
      const fold = re + mine.subject.replace(' AP', '\r\n AP');
      const from = draw.oneOf([quote.email, `Cliente <${quote.email.toUpperCase()}>`, `"x@y.mx" <${quote.email}>`]);
      const sure: MailParts[] = [
        { to: mine.replyTo, subject: 'sin asunto' },
        { to: mine.replyTo.toUpperCase(), headers: [references] },
        { to: `otro@x.mx, "Carga" <${mine.replyTo}>`, subject: encoded },
        { headers: [`Delivered-To: ${mine.replyTo}`], subject: fold },
        { headers: [`Cc: ${mine.replyTo}`, ids, references] },
        { headers: [ids], subject: '' },
        { headers: [references], subject: fold },
        { subject: encoded },
        { subject: re + mine.subject },
      ];
      const unsure: MailParts[] = [
        { from: stranger, to: mine.replyTo, headers: [ids, references], subject: re + mine.subject },
        { from: other.quote.email === quote.email ? stranger : other.quote.email, to: mine.replyTo, headers: [ids] },
        { from: stranger, subject: re + mine.subject },
        { from: stranger, text: `${text} ${mine.id} ${mine.replyTo}` },
        { to: mine.replyTo, headers: [`In-Reply-To: ${other.id}`] },
        { to: mine.replyTo, subject: other.subject },
        { subject: `${mine.subject} ${other.subject}` },
        { from: `${quote.email}, ${stranger}`, to: mine.replyTo },
        { subject: mine.subject.replace(/AP-../, 'AP-ZZ') },
        { to: `ventas+${draw.id().slice(0, 8)}@carga.example`, headers: ['In-Reply-To: <x@y>'] },
      ];
      const isSure = draw.sometimes(0.7);
      mails.push(mailOf({ from, id, subject: 'Hola', text, ...draw.oneOf(isSure ? sure : unsure) }));
      expected.set(text, isSure ? quote.id : null);
    }
    const parts = [mails.slice(0, 400), mails.slice(400, 700), mails.slice(700)];
    for (const mail of parts[0]!) box.deliver(mail);
    await box.done(100);
    await box.restart();
    await box.done(250);
    box.cut();
    await box.done(400);
    for (const mail of [...parts[1]!, ...mails.slice(0, 50)]) box.deliver(mail);
    await box.done(750);
    await box.stop();
    box.renumber();
    for (const mail of parts[2]!) box.deliver(mail);
    await box.restart();
    await expect.poll(async () => (await received()).length, { timeout: 300_000 }).toBe(1000);

    const rows = await received();
    const found = new Map(rows.map(({ body, quote_id }) => [body.slice(0, 13).trim(), quote_id]));
    const wrong = [...expected].filter(([text, quote]) => found.get(text) !== quote);
    expect(wrong).toEqual([]);
    const replies = await ask<{ count: number }>(
      ana,
      "select count(*)::integer from public.quote_replies where body like 'Respuesta %'",
    );
    expect(replies[0]!.count).toBe(rows.filter(({ quote_id }) => quote_id).length);
  },
);
