import { describe, expect, test } from 'vitest';
import { readProof } from '../../server/channels/authentication-results.ts';
import { readMail } from '../../server/channels/incoming-mail.ts';
import { matchMail, type Candidate } from '../../server/channels/mail-match.ts';
import { createMailParser } from '../../server/channels/mail-parser.ts';
import { cutReply } from '../../server/channels/mail-text.ts';

const ANA = 'ana@carga.mx';
const named = (evidence: Candidate['evidence'], quote_id: string, more: Partial<Candidate> = {}): Candidate => ({
  evidence,
  quote_id,
  folio: `AP-0000-000${quote_id}`,
  email: ANA,
  answer: null,
  ...more,
});

const [TAG, FOLIO, ANSWER] = [named('tag', '1'), named('folio', '1'), named('id', '1', { answer: 'a' })];
const OTHERS = named('folio', '2', { email: 'b@b.mx' });
const OTHERS_SAME = { ...OTHERS, folio: FOLIO.folio };

describe('a mail is matched with its quote', () => {
  test.each<[string, Parameters<typeof matchMail>, ReturnType<typeof matchMail>]>([
    ['by its tag and its sender', [ANA, 'unknown', [TAG]], { quote: '1' }],
    ['by the id of our mail, with its answer', [ANA, 'unknown', [TAG, ANSWER, FOLIO]], { quote: '1', answer: 'a' }],
    ['by folio and sender', [ANA, 'pass', [FOLIO]], { quote: '1' }],
    ['by tag, although the sender is not proven', [ANA, 'fail', [TAG]], { quote: '1' }],
    ['by sender, if two customers have the same folio', [ANA, 'unknown', [OTHERS_SAME, FOLIO]], { quote: '1' }],
  ])('%s', (_, given, match) => expect(matchMail(...given)).toEqual(match));

  test.each<[string, ...Parameters<typeof matchMail>]>([
    ['a tag comes from another address', 'eva@x.mx', 'pass', [TAG]],
    ['a quote has no e-mail', '', 'unknown', [named('tag', '1', { email: null })]],
    ['tag and id name different quotes', ANA, 'pass', [TAG, named('id', '2')]],
    ['the subject names another quote than the tag', ANA, 'pass', [TAG, named('folio', '2')]],
    ['a folio comes from another address', 'eva@x.mx', 'pass', [FOLIO]],
    ['a folio comes from a refuted sender', ANA, 'fail', [FOLIO]],
    ['the subject has two folios', ANA, 'pass', [FOLIO, named('folio', '2')]],
    ['the subject has the folio of another customer too', ANA, 'pass', [FOLIO, OTHERS]],
  ])('a mail is left to a colleague if %s', (_, ...given) => expect(matchMail(...given)).toEqual({ suggested: '1' }));

  test('a mail that names no quote is left to a colleague', () => expect(matchMail(ANA, 'pass', [])).toEqual({}));
});

describe('the proof that a sender’s address is not forged', () => {
  const OWN = 'mx.google.com';
  test.each<[string, string[], ReturnType<typeof readProof>]>([
    ['DMARC', [`${OWN}; dmarc=pass (p=REJECT) header.from=carga.mx`], 'pass'],
    ['DMARC with comments and quoted strings', [`${OWN} 1; dmarc = pass (a;b (c)) header.from="carga.mx"`], 'pass'],
    ['DMARC of another domain', [`${OWN}; dmarc=pass header.from=evil.mx`], 'fail'],
    ['a failed DMARC', [`${OWN}; dkim=pass header.d=carga.mx; dmarc=fail header.from=carga.mx`], 'fail'],
    ['DKIM of the same domain', [`${OWN}; dkim=pass header.i=@mail.carga.mx`], 'pass'],
    ['DKIM of another domain', [`${OWN}; dkim=pass header.d=evil.mx; spf=fail smtp.mailfrom=a@carga.mx`], 'fail'],
    ['DKIM of a whole country', [`${OWN}; dkim=pass header.d=mx`], 'unknown'],
    ['SPF of the same domain', [`${OWN}; spf=pass smtp.mailfrom=x@carga.mx`], 'pass'],
    ['a header that the sender wrote', ['evil.mx; dmarc=pass header.from=carga.mx'], 'unknown'],
    ['a name hidden in a comment', [`(${OWN}; dmarc=pass) evil.mx; dmarc=pass header.from=carga.mx`], 'unknown'],
    ['a forged lower header', ['fail', 'pass'].map((is) => `${OWN}; dmarc=${is} header.from=carga.mx`), 'fail'],
    ['no header', [], 'unknown'],
  ])('is read from %s', (_, headers, proof) => expect(readProof(headers, OWN, 'carga.mx')).toBe(proof));

  test('is unknown if the operator has not named the mail provider', () =>
    expect(readProof(['x; dmarc=pass header.from=carga.mx'], '', 'carga.mx')).toBe('unknown'));
});

describe('the text that a customer wrote in a mailed reply', () => {
  test.each([
    ['our own line', 'Sí.\n\n— Responda arriba de esta línea —\nBuen día', 'Sí.'],
    ['our own line in a quote', 'Sí.\n\n> — Reply above this line —\n> Hello', 'Sí.'],
    [
      'Gmail in Spanish',
      'El viernes.\n\nEl jue, 26 nov 2026 a las 10:00, Carga (<v@c.mx>)\nescribió:\n\n> Buen día',
      'El viernes.',
    ],
    ['Apple Mail in English', 'Friday.\n\nOn Nov 26, 2026, at 10:00, Carga <v@c.mx> wrote:\n\n> Hello', 'Friday.'],
    ['Outlook in Spanish', 'Viernes\n\nDe: Carga <v@c.mx>\nEnviado: jueves\nPara: Ana\nAsunto: x\n\nHola', 'Viernes'],
    ['Outlook in English', 'Friday\n\n-----Original Message-----\nFrom: Carga\n\nHello', 'Friday'],
    ['Chinese', '星期五。\n\n在 2026年11月26日，Carga <v@c.mx> 写道：\n\n> 您好', '星期五。'],
    ['a signature and a device', 'Viernes.\n\nEnviado desde mi iPhone\n\n-- \nAna Ruiz', 'Viernes.'],
    ['an answer below', 'El jue, 26 nov 2026 Carga escribió:\n> ¿Con pallet?\nSí, con pallet.', 'Sí, con pallet.'],
    ['answers between the quoted lines', '> ¿Cuándo?\nEl viernes.\n> ¿Cuánto?\nMil kilos.', 'El viernes.\nMil kilos.'],
    [
      'words like those of a quote',
      'El jefe escribió a ventas: quiere dos.\nDe: Mazatlán a Zhengzhou',
      'El jefe escribió a ventas: quiere dos.\nDe: Mazatlán a Zhengzhou',
    ],
    ['control characters', 'a\0b\u001b[31mc\r\n\r\n\r\n\r\nd', 'ab[31mc\n\nd'],
    ['a quote alone', '> Buen día', '> Buen día'],
  ])('is found in a mail with %s', (_, text, body) => expect(cutReply(text).body).toBe(body));

  test('is found within a second even in a mail written to slow the search', () => {
    const began = performance.now();
    for (const text of [
      'El '.repeat(60_000),
      '> '.repeat(60_000),
      'De: x\n'.repeat(30_000),
      `On ${'a\n'.repeat(90_000)} wrote`,
    ])
      cutReply(text);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe('the parser of received mails', () => {
  const read = (lines: string[]) => readMail(Buffer.from(lines.join('\r\n')), false);
  const [LIST, TO_US] = ['List-Id: <x.y>', 'Delivered-To: v+00112233445566778899@c.mx'];
  const REPORT = 'Content-Type: multipart/report';
  const HEAD = ['From: Ana <Ana@Carga.mx>', 'To: v@c.mx', 'Subject: Hola', 'Message-ID: <1@carga.mx>'];

  test.each<[string, string[], string]>([
    ['from a person', ['Auto-Submitted: no'], 'person'],
    ['that reports an absence', ['Auto-Submitted: auto-replied'], 'automatic'],
    ['from a mailing list', [LIST, 'Precedence: list'], 'automatic'],
    ['from a mailing list that forwarded a reply to us', [LIST, 'Precedence: list', TO_US], 'person'],
    ['from a mailing list that reports an absence', [LIST, 'Auto-Submitted: auto-replied', TO_US], 'automatic'],
    ['sent in bulk', ['Precedence: bulk'], 'automatic'],
    ['without a return path', ['Return-Path: <>'], 'automatic'],
    ['that reports a failed delivery', [`${REPORT}; report-type=delivery-status; boundary=x`], 'bounce'],
  ])('a mail %s is recognised', async (_, more, kind) =>
    expect((await read([...more, ...HEAD, '', 'Hola'])).kind).toBe(kind),
  );

  test('tag, id and folio of a quote are found in any header of a reply', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const mail = await read([
      TO_US,
      `References: <AP-0000-0000@c.mx>`,
      `\t<${id}@c.mx>`,
      'From: =?utf-8?q?Ana_Ru=C3=ADz?= <Ana@Carga.mx>',
      'To: "V" <v+AABBCCDDEEFF00112233@c.mx>, otro@c.mx',
      'Subject: =?utf-8?q?RE=3A_Su_solicitud_AP-0000-0000?=',
      '',
      'Sí',
    ]);
    expect(mail).toMatchObject({
      from: ['ana@carga.mx'],
      name: 'Ana Ruíz',
      tags: ['00112233445566778899', 'aabbccddeeff00112233'],
      ids: [id],
      folios: ['AP-0000-0000'],
      body: 'Sí',
      whole: undefined,
    });
    expect(mail.id).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('a mail in HTML is reduced to its text', async () => {
    const { body } = await read([
      ...HEAD,
      'Content-Type: text/html',
      '',
      '<style>p{}</style><p>Sí &lt;b&gt;</p><script>alert(1)</script><img src="https://x/y" onerror="z">',
    ]);
    expect(body).toBe('Sí <b>');
  });

  test('a mail that takes too long to parse is skipped, and the next mail is read', async () => {
    const parser = createMailParser();
    const long = Buffer.from([...HEAD, '', 'x '.repeat(5_000_000)].join('\r\n'));
    expect(await parser.parse(long, false, 5)).toBeUndefined();
    expect(await parser.parse(Buffer.from([...HEAD, '', 'Hola'].join('\r\n')), false)).toMatchObject({ body: 'Hola' });
    await parser.end();
  });
});
