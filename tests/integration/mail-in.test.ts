import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inbox } from '../../server/doctor/service.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { mailTag } from '../../src/lead/mail-tag.ts';
import { askAsOwner, asOwner, quoting } from './callers.ts';
import { pgliteEngine } from './engines.ts';
import { actsOn } from './lead-acts.ts';
import { hasDovecot, mailbox, PASSWORD } from './mailbox-server.ts';
import { ana, attached, AUTHSERV, mailOf, multipart, OWN, repliesByMail, replyOf } from './replies-by-mail.ts';

const machineWith = (environment: Record<string, string>) =>
  ({ settings: readSettings(environment) }) as Parameters<typeof inbox>[0];
const engine = await pgliteEngine();
afterAll(() => engine.close());

describe.skipIf(!hasDovecot)('replies by mail', () => {
  const { ask, lead } = actsOn(engine);
  const { mailed, opened, readFrom, received, empty } = repliesByMail(engine);
  const send = quoting(engine);
  beforeEach(empty);

  test('a mailed reply reaches its lead with its file, but without the text it quotes', async () => {
    const quote = await send();
    const [sent] = await mailed([quote], { kind: 'pregunta', body: '¿Con pallet?' });
    expect(sent!.replyTo).toBe(`ventas+${await mailTag(quote.id)}@carga.example`);
    const box = await opened();
    const words = 'Sí, con pallet.\r\n\r\nEl jue, 26 nov 2026, Carga escribió:\r\n> ¿Con pallet?';
    const { headers, text } = multipart(
      'mixed',
      ['Content-Type: text/plain; charset=utf-8', '', words],
      attached('guía.pdf', 'application/pdf', Buffer.from('%PDF-1.4 guía').toString('base64')),
      attached('virus.zip', 'application/zip', 'UEs='),
    );
    const failed = `Authentication-Results: ${AUTHSERV}; dmarc=fail header.from=berries.mx`;
    box.deliver(replyOf(sent!, { headers: [failed, ...headers], text }));
    await box.done(1);
    const [mail] = await received();
    expect(mail).toMatchObject({ quote_id: quote.id, sender: quote.email, sender_name: 'Cliente', unstored_files: 1 });
    expect(mail).toMatchObject({ body: 'Sí, con pallet.', unproven: true });
    expect(mail!.whole).toContain('> ¿Con pallet?');
    expect(await lead(quote)).toMatchObject({ open: true, reply_waiting: true, reply_to: 'pregunta' });
    expect(await ask(ana, 'select nombre from public.quote_files where quote_id = $1', [quote.id])).toEqual([
      { nombre: 'guía.pdf' },
    ]);
  });

  test('automatic mails, the server’s own mails and mailing lists are not taken for questions', async () => {
    const quote = await send();
    const [sent] = await mailed([quote]);
    const box = await opened();
    box.deliver(replyOf(sent!, { headers: ['Auto-Submitted: auto-replied'] }));
    box.deliver(replyOf(sent!, { from: OWN }));
    box.deliver(mailOf({ headers: ['List-Id: <lista.x.mx>'] }));
    const report = (id: string, action: string, status: string) => {
      const { headers, text } = multipart(
        'report; report-type=delivery-status',
        ['', 'No.'],
        ['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; x.mx', ''].concat([
          `Action: ${action}`,
          `Status: ${status}`,
          '',
        ]),
        ['Content-Type: text/rfc822-headers', '', `Message-ID: ${id}`],
      );
      return mailOf({ from: 'MAILER-DAEMON@x.mx', headers: ['Return-Path: <>', ...headers], text });
    };
    box.deliver(report(`<${randomUUID()}@carga.example>`, 'failed', '5.1.1'));
    box.deliver(report(sent!.id, 'delayed', '4.4.1'));
    await box.done(5);
    const bounced = () => askAsOwner(engine, "select from public.alerts where kind = 'rebotado'");
    expect(await bounced()).toEqual([]);
    box.deliver(report(sent!.id, 'failed', '5.1.1'));
    await box.done(6);
    expect(box.outcomes.toSorted()).toEqual(['automatico', 'automatico', 'propio', 'rebote', 'rebote', 'rebote']);
    expect(await received()).toEqual([]);
    expect(await bounced()).toHaveLength(1);
    expect(await ask(ana, 'select sent_at, result from public.desk_mails where quote_id = $1', [quote.id])).toEqual([
      { sent_at: null, result: 'the mail came back: 5.1.1' },
    ]);
  });

  test('huge, broken and forged mails do not stop other mails', async () => {
    const quote = await send();
    const [sent] = await mailed([quote]);
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const box = await opened();
    const photo = attached('a.pdf', 'application/pdf', 'QUJD'.repeat(18).concat('\r\n').repeat(700_000));
    const big = multipart('mixed', ['', 'Va la foto.'], photo);
    box.deliver(replyOf(sent!, { id: '<grande@x.mx>', ...big }));
    box.deliver(
      Buffer.concat([Buffer.from('From: roto@x.mx\r\nSubject: roto\r\n\r\n'), Buffer.from([0, 255, 254, 10, 0])]),
    );
    box.deliver('');
    box.deliver(replyOf(sent!, { id: '<otro@x.mx>', from: `"${quote.email}" <eva@x.mx>` }));
    box.deliver(replyOf(sent!, { id: '<dos@x.mx>', from: `${quote.email}, eva@x.mx` }));
    box.deliver(
      mailOf({
        id: '<folio@x.mx>',
        from: quote.email,
        subject: `Re: ${folioOf(quote.id)}`,
        headers: [`Authentication-Results: ${AUTHSERV}; spf=fail smtp.mailfrom=x@berries.mx`],
      }),
    );
    box.deliver(
      mailOf({
        id: '<nadie@x.mx>',
        from: `=?utf-8?q?Ana=0D=0ABcc=3A_otro=40x.mx?= <ana@x.mx>`,
        subject: '=?utf-8?q?a=0D=0AB=3A_c?=',
        text: '<script>alert(1)</script>',
      }),
    );
    box.deliver(mailOf({ id: '', from: 'sinid@x.mx' }));
    box.deliver(mailOf({ id: '', from: 'sinid@x.mx' }));
    await box.done(9);
    const all = new Map((await received()).map((each) => [each.external_id, each]));
    expect(all.get('<grande@x.mx>')).toMatchObject({ quote_id: quote.id, body: 'Va la foto.', unstored_files: 1 });
    for (const id of ['<otro@x.mx>', '<dos@x.mx>', '<folio@x.mx>'])
      expect(all.get(id), id).toMatchObject({ quote_id: null, suggested: quote.id });
    expect(all.get('<folio@x.mx>')).toMatchObject({ unproven: true });
    expect(all.get('<nadie@x.mx>')).toMatchObject({
      quote_id: null,
      suggested: null,
      body: '<script>alert(1)</script>',
    });
    expect([...all.values()].filter(({ sender }) => sender === 'sinid@x.mx')).toHaveLength(1);
    await box.stop();
    const log = [...said.mock.calls, ...failed.mock.calls].flat().join('\n');
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), quote.email, 'eva@x.mx', 'Va la foto', quote.id])
      expect(log).not.toContain(secret);
    expect(log).toContain('mail');
  });

  test('a mail fetched over a bad connection is stored, at worst without its files', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const box = await opened();
    for (const losses of [4, 8]) {
      box.loseFetches(losses);
      const pdf = attached('a.pdf', 'application/pdf', Buffer.from('%PDF-1.4').toString('base64'));
      box.deliver(mailOf(multipart('mixed', ['', 'Va.'], pdf)));
      await box.done(losses / 4);
    }
    expect(await received()).toMatchObject([
      { body: 'Va.', unstored_files: 0 },
      { body: 'Va.', unstored_files: 1 },
    ]);
  });

  test('a mail that the database refuses three times is shown to the team by its subject', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const constraint = 'alter table public.received_messages';
    await asOwner(engine, `${constraint} add constraint refused check (body <> 'veneno')`);
    onTestFinished(() => asOwner(engine, `${constraint} drop constraint refused`));
    const box = await opened();
    box.deliver(mailOf({ id: '<uno@x.mx>', from: 'ana@x.mx', subject: 'Cotización', text: 'veneno' }));
    await expect.poll(() => said.mock.calls.length).toBe(1);
    box.deliver(mailOf({ id: '<dos@x.mx>' }));
    await box.done(2);
    expect(await received()).toMatchObject([
      { external_id: '<uno@x.mx>', sender: 'ana@x.mx', body: 'Cotización', unstored_files: 1 },
      { external_id: '<dos@x.mx>', body: 'Sí.' },
    ]);
  });

  test('a mail that the server was reading when it stopped is read after the next start', async () => {
    const box = await opened();
    const parsing = Promise.withResolvers<void>();
    vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => parsing.resolve());
    box.deliver(mailOf({}));
    await parsing.promise;
    await box.restart();
    await box.done(1);
    expect(await received()).toMatchObject([{ body: 'Sí.', unstored_files: 0 }]);
  });

  test('a wrong password of the mailbox is reported without the password', async () => {
    const said: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text) => said.push(String(text)));
    const box = await mailbox();
    const wrong = box.url.replace(encodeURIComponent(PASSWORD), 'otra-secreta');
    readFrom({ url: wrong });
    readFrom({ url: 'imap://u:otra-secreta@127.0.0.1:1/INBOX' });
    await expect
      .poll(() => said.toSorted())
      .toEqual([
        'The mailbox of replies cannot be read: AUTHENTICATIONFAILED. Trying again.',
        'The mailbox of replies cannot be read: ECONNREFUSED. Trying again.',
      ]);
    const examined = (url: string) => inbox(machineWith({ SMTP_URL: 'smtp://x', MAIL_FROM: OWN, IMAP_URL: url }));
    expect(await examined(box.url)).toMatchObject({ kind: 'well' });
    const found = await examined(wrong);
    expect(found).toMatchObject({ kind: 'fault', detail: 'AUTHENTICATIONFAILED' });
    expect(JSON.stringify(found)).not.toContain('otra-secreta');
  });
});
