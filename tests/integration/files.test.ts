import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MOST_FILES } from '../../src/lead/files.ts';
import { insertion, presenting, service, staffMember, visitor } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();

const ana = staffMember('Ana Ruiz');
const PART = 65_536;
const picture = (bytes: number) => Buffer.concat([Buffer.from('ffd8ff', 'hex'), randomBytes(bytes - 3)]);
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const { asOwner, ask, owner, put, quoted, block, lead } = actsOn(engine);
const announce = async (quote_id: string, content: Buffer, more: object = {}, caller = presenting(quote_id)) => {
  const file = {
    id: randomUUID(),
    quote_id,
    nombre: 'caja.jpg',
    tipo: 'image/jpeg',
    bytes: content.length,
    huella: hashOf(content),
    ...more,
  };
  await ask(caller, ...insertion('quote_files', file, 'on conflict (id) do nothing', ''));
  return file.id;
};
const send = (quote_id: string, file_id: string, parte: number, content: Buffer, caller = presenting(quote_id)) => {
  const row = { file_id, parte, base64: content.subarray(parte * PART, (parte + 1) * PART).toString('base64') };
  return ask(caller, ...insertion('quote_file_parts', row, 'on conflict (file_id, parte) do nothing', ''));
};
const whole = async (id: string) => {
  const sql = 'select whole_at is not null as whole from public.quote_files where id = $1';
  return (await ask(ana, sql, [id]))[0]?.['whole'];
};
const stored = async (id: string) => {
  const sql = "select encode(datos, 'hex') as hex from public.quote_file_parts where file_id = $1 order by parte";
  return Buffer.concat((await ask<{ hex: string }>(ana, sql, [id])).map(({ hex }) => Buffer.from(hex, 'hex')));
};

test('the database recognises the type of a file by its first bytes', async () => {
  const kinds = [
    ['ffd8ffe0', 'image/jpeg'],
    ['89504e470d0a1a0a00', 'image/png'],
    ['524946460000000057454250', 'image/webp'],
    ['255044462d312e37', 'application/pdf'],
    // An AVI video also begins with RIFF, like a WebP image, and must not count as an image.
    ['524946460000000041564920', null],
    ['00ffd8ff', null],
    ['', null],
  ] as const;
  const heads = kinds.map(([head]) => head);
  const read = await owner<{ kind: string | null }>(
    "select private.file_type(decode(head, 'hex')) as kind from unnest($1::text[]) with ordinality as _(head, place) order by place",
    [heads],
  );
  expect(read.map(({ kind }) => kind)).toEqual(kinds.map(([, kind]) => kind));
});

test('the parts of a file may arrive in any order and twice', async () => {
  const quote = await quoted();
  const content = picture(3 * PART + 17);
  const id = await announce(quote, content);
  for (const parte of [2, 0, 2, 3]) await send(quote, id, parte, content);
  expect(await whole(id)).toBe(false);
  expect(await lead(quote)).toMatchObject({ news_at: null });
  const parts = 'select parte from public.quote_file_parts where file_id = $1 order by parte';
  expect(await ask(presenting(quote), parts, [id])).toEqual([0, 2, 3].map((parte) => ({ parte })));
  expect(await ask(presenting(quote, id), 'select * from public.unknown_submissions')).toEqual([{ id }]);
  await send(quote, id, 1, content);
  expect(await whole(id)).toBe(true);
  expect(await lead(quote)).toMatchObject({ news_at: expect.any(Date) });
  expect((await stored(id)).equals(content)).toBe(true);
  // The phone sends the file’s row and one of its parts again, as after a lost response.
  await announce(quote, content, { id });
  await send(quote, id, 1, content);
  expect(await ask(presenting(quote, id), 'select * from public.unknown_submissions')).toEqual([]);
});

test('a file whose parts do not match its hash is deleted, and can be sent again', async () => {
  const quote = await quoted();
  const content = picture(PART + 5);
  const id = await announce(quote, content);
  await send(quote, id, 0, picture(PART));
  expect(await send(quote, id, 1, content)).toEqual([]);
  expect(await whole(id)).toBeUndefined();
  expect(await stored(id)).toHaveLength(0);
  // The file was deleted, so another part of it is refused.
  await fails(send(quote, id, 1, content));
  await announce(quote, content, { id });
  for (const parte of [1, 0]) await send(quote, id, parte, content);
  expect(await whole(id)).toBe(true);
});

test('a file part of the wrong length or with invalid base64 is refused', async () => {
  const quote = await quoted();
  const content = picture(PART + 5);
  const id = await announce(quote, content);
  await send(quote, id, 0, content);
  await expect(send(quote, id, 1, content.subarray(0, PART + 4))).rejects.toThrow(/of this length/);
  await expect(send(quote, id, 2, picture(3 * PART))).rejects.toThrow(/of this length/);
  await expect(put(presenting(quote), 'quote_file_parts', { file_id: id, parte: 1, base64: '%%%' })).rejects.toThrow(
    /no base64/,
  );
  expect(await whole(id)).toBe(false);
});

test('a file with an invalid name, type, size, hash or content is refused', async () => {
  const quote = await quoted();
  for (const more of [
    { bytes: 0 },
    { bytes: 10_485_761 },
    { tipo: 'text/html' },
    { nombre: '../caja.jpg' },
    { nombre: 'a\nb.jpg' },
    { nombre: ' ' },
    { huella: 'x' },
  ])
    await expect(announce(quote, picture(10), more), JSON.stringify(more)).rejects.toThrow(/check constraint/);
  for (const [tipo, text] of [
    ['image/jpeg', '<script>alert(1)</script>'],
    ['application/pdf', 'MZ\u0090'],
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['image/webp', 'RIFFxxxxWAVE'],
  ]) {
    const other = await quoted();
    const id = await announce(other, Buffer.from(text!), { tipo });
    await expect(send(other, id, 0, Buffer.from(text!)), tipo).rejects.toThrow(/not of the type/);
  }
});

const sendWhole = async (quote: string, content: Buffer) => {
  const id = await announce(quote, content);
  for (let parte = 0; parte * PART < content.length; parte += 1) await send(quote, id, parte, content);
};
/**
 * Makes a file older: `time` is the SQL interval by which its row and the arrival of its last part move into the past.
 */
const pass = async (id: string, time: string) => {
  await asOwner(`update public.quote_files set created_at = created_at - interval '${time}' where id = '${id}'`);
  await asOwner(`update private.unfinished_files set last_at = last_at - interval '${time}' where file_id = '${id}'`);
};

test('a quote accepts at most ten files, one after the other, and no file twice', async () => {
  const quote = await quoted();
  const content = picture(10);
  await sendWhole(quote, content);
  await expect(announce(quote, content)).rejects.toThrow(/quote_files_once/);
  const id = await announce(quote, picture(PART + 1));
  await expect(announce(quote, picture(10))).rejects.toThrow(/One file of a quote after the other/);
  // Other files may follow, because no part of the unfinished file has arrived for eleven minutes.
  await pass(id, '11 minutes');
  for (let file = 1; file < MOST_FILES; file += 1) await sendWhole(quote, picture(10));
  expect(await whole(id)).toBeUndefined();
  await expect(announce(quote, picture(10))).rejects.toThrow(/Ten files/);
});

test('an announced file reserves its storage for an hour', async () => {
  await asOwner('delete from public.quote_files; update private.quote_limits set file_bytes = 300000');
  try {
    const [quote, other] = [await quoted(), await quoted()];
    const content = picture(3 * PART);
    const id = await announce(quote, content);
    await send(quote, id, 0, content);
    const second = picture(2 * PART);
    await expect(announce(other, second)).rejects.toThrow(/There is no room for more files/);
    await pass(id, '61 minutes');
    const next = await announce(other, second);
    // The second file gets the storage that the first file had reserved for its missing parts.
    await send(quote, id, 1, content);
    await expect(send(quote, id, 2, content)).rejects.toThrow(/There is no room for more files/);
    for (const parte of [0, 1]) await send(other, next, parte, second);
    expect(await whole(next)).toBe(true);
    await expect(announce(await quoted(), picture(PART))).rejects.toThrow(/no room/);
    await pass(id, '1 day');
    await announce(await quoted(), picture(PART));
    expect(await whole(id)).toBeUndefined();
  } finally {
    await asOwner('update private.quote_limits set file_bytes = default');
  }
});

test('an IP address may send five files at a time, an IPv6 /48 network twenty', async () => {
  const from = (quote: string, address: string) => ({
    ...presenting(quote),
    headers: { 'x-submission-id': quote, 'x-forwarded-for': address },
  });
  const announceFrom = async (address: string, content = picture(10)) => {
    const quote = await quoted();
    return [quote, await announce(quote, content, {}, from(quote, address)), content] as const;
  };
  await asOwner('update private.quote_limits set per_address = 60, overall = 0');
  try {
    const [quote, id, content] = await announceFrom('203.0.113.9');
    for (let file = 1; file < 5; file += 1) await announceFrom('203.0.113.9');
    await expect(announceFrom('203.0.113.9')).rejects.toThrow(/Five files from one address/);
    await send(quote, id, 0, content);
    await announceFrom('203.0.113.9');
    for (let file = 0; file < 20; file += 1) await announceFrom(`2001:db8:1:${file % 4}::1`);
    await expect(announceFrom('2001:db8:1:9::1')).rejects.toThrow(/Five files from one address/);
    await announceFrom('2001:db8:2::1');
  } finally {
    await asOwner('update private.quote_limits set per_address = 0');
  }
});

test('a phone can send and see files only with the quote’s id', async () => {
  const [quote, stranger] = [await quoted(), await quoted()];
  const content = picture(PART + 1);
  await expect(announce(quote, content, {}, visitor)).rejects.toThrow(/row-level security/);
  const id = await announce(quote, content);
  await fails(send(quote, id, 0, content, presenting(stranger)));
  await fails(send(quote, id, 0, content, visitor));
  await send(quote, id, 0, content);
  expect(await ask(presenting(stranger), 'select id from public.quote_files where id = $1', [id])).toEqual([]);
  expect(await ask(presenting(stranger), 'select parte from public.quote_file_parts')).toEqual([]);
  await block(quote);
  await fails(send(quote, id, 1, content));
  await ask(service, 'delete from public.quotes where id = $1', [quote]);
  expect(await stored(id)).toHaveLength(0);
});
