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

test.skipIf(!hasDovecot)('a thousand replies reach their lead or a colleague, despite lost connections', async () => {
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
    const text = `Respuesta ${at}`;
    const isSure = draw.sometimes(0.7);
    const named = draw.oneOf<MailParts>([
      { to: mine.replyTo },
      { subject: `Re: ${mine.subject}` },
      { headers: [`In-Reply-To: ${mine.id}`] },
      { headers: [`References: ${mine.references}\r\n\t${mine.id}`] },
    ]);
    const from = isSure ? mine.quote.email : `${draw.id()}@x.mx`;
    mails.push(mailOf({ ...named, from, id: draw.sometimes(0.1) ? '' : `<${draw.id()}@programa.mx>`, text }));
    expected.set(text, isSure ? mine.quote.id : null);
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
  const replies = await ask(ana, "select from public.quote_replies where body like 'Respuesta %'");
  expect(replies).toHaveLength(rows.filter(({ quote_id }) => quote_id).length);
});
