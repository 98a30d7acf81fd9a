import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import { readCsvRows } from '../../src/lead/csv-rows.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { runProcess, runQuotes, send, serverOfFile, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const fileOf = (name: string, text: string) => {
  const file = path.join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
};
const shared = serverOfFile();
const run = (...words: string[]) => runQuotes({ DATA_DIR: shared.dataDir }, ...words);

test('a trial prints for each row what the import will do', async () => {
  const rows = ['Nombre;Celular;Empresa;Notas', 'Ana Ríos;6645550101;Berries;x', 'Luis;12;;'];
  const file = fileOf('contactos.csv', [...rows, 'ana ríos;6645550101;berries;y', ''].join('\r\n'));
  const errors = path.join(path.dirname(file), 'errores.csv');
  const trial = await run('--import', file, '--dry-run', '--errors', errors);
  expect(trial.errors).toBe('Columns: Name = Nombre; Company = Empresa; Phone = Celular. Not read: Notas.\n');
  const folio = /AP-\w{4}-\w{4}/.exec(trial.output)![0];
  expect(trial).toMatchObject({
    code: 1,
    output: [
      `Line 2 (Ana Ríos, Berries): would be stored, ${folio}`,
      'Line 3: Phone must have 7 to 15 digits',
      'Line 4: equal to line 2',
      'Would be stored: 1; there already or repeated: 1; with an error: 1. Nothing was stored.',
      `The rows with an error are in ${errors}.\n`,
    ].join('\n'),
  });
  expect(readFileSync(errors, 'utf8')).toBe(
    '\ufeffNombre,Celular,Empresa,Notas,error\r\nLuis,12,,,Phone must have 7 to 15 digits\r\n',
  );
  expect((await run('--json')).output).toBe('[]\n');

  expect(await run('--import', file)).toMatchObject({
    code: 1,
    output: 'Stored: 1; there already or repeated: 1; with an error: 1.\n',
    errors: expect.stringContaining('Line 3: Phone must have 7 to 15 digits\n'),
  });
  const listed = JSON.parse((await run('--json')).output) as object[];
  expect(listed).toMatchObject([{ folio, nombre: 'Ana Ríos', origen: 'importada', open: false }]);
  expect((await run('--import', file)).output).toMatch(/^Stored: 0; there already or repeated: 2; with an error: 1/);
  expect(JSON.parse((await run('--json')).output)).toEqual(listed);
});

test('an operator can name the columns of unknown headings', async () => {
  const file = fileOf('otros.csv', 'Persona X,Cel 1,Estado\nEva,6645550102,Sonora\n');
  expect(await run('--import', file)).toEqual({
    code: 2,
    output: '',
    errors:
      'No column is recognised as nombre or telefono. Name it: --column "nombre=…". The file has: Persona X, Cel 1, Estado.\n',
  });
  const columns = ['--column', 'nombre=Persona X', '--column', 'telefono=cel 1'];
  expect((await run('--import', file, '--dry-run', ...columns)).output).toContain('Status: "Sonora" is not');
  const output = expect.stringContaining('Line 2 (Eva): would be stored');
  expect(await run('--import', file, '--dry-run', ...columns, '--column', 'status=')).toMatchObject({
    code: 0,
    output,
  });
  const errorOf = async (column: string) => (await run('--import', file, '--column', column)).errors;
  expect(await errorOf('nombre=Nadie')).toContain('no column "Nadie". It has: Persona X, Cel 1, Estado.');
  expect(await errorOf('apodo=X')).toContain('--column takes a column and its heading');
  expect(await run('--import', `${file}.none`)).toMatchObject({ code: 2, output: '' });
});

test('an exported CSV file that is imported into an empty database gives the same rows', async () => {
  const asked = { promociones: true, more: { llamada: true, servicio: 'air' } };
  const quotes = [
    sampleQuote({ nombre: '=1+1', empresa: 'Berries, S.A.; +52', ...asked }),
    sampleQuote({ nombre: '李 "Ñ"', telefono: '0445550175', peso: 7, more: { embarque: 250 } }),
  ];
  for (const quote of quotes) expect((await send(shared.address, quote)).status).toBe(201);
  const copy = { ...quotes[0]!, id: randomUUID(), igual: folioOf(quotes[0]!.id) };
  expect((await send(shared.address, copy)).status).toBe(201);
  expect((await send(shared.address, sampleQuote({ reemplaza: folioOf(quotes[1]!.id) }))).status).toBe(201);
  expect((await run('answer', folioOf(quotes[1]!.id), '--text', 'Sale el jueves.')).code).toBe(0);
  const contacts =
    'nombre,telefono,fecha,estado,motivo\nLuis,6645550104,2019-03-05,perdida,precio\nEva,6645550105,,,\n';
  expect((await run('--import', fileOf('agenda.csv', contacts))).code).toBe(0);

  // The comparison ignores columns about answers, because the export does not contain the answers themselves.
  const ofAnswers = /^(first_answer_at|seen_at|accepted_)/;
  const rowsOf = (csv: string) => {
    const [heading, ...rows] = readCsvRows(csv).rows.map(({ cells }) => cells);
    return rows.map((cells) =>
      Object.fromEntries(heading!.map((name, at) => [name, ofAnswers.test(name) ? '' : cells[at]])),
    );
  };
  const exported = await run('--csv');
  const all = rowsOf(exported.output).length;
  const file = fileOf('mesa.csv', exported.output);
  const DATA_DIR = await freshDataDirectory();
  const imported = await runProcess('quotes', { DATA_DIR }, ['--import', file]);
  expect(imported.output).toBe(`Stored: ${all}; there already or repeated: 0; with an error: 0.\n`);
  const again = await runQuotes({ DATA_DIR }, '--csv');
  expect(rowsOf(again.output)).toEqual(rowsOf(exported.output));
  expect((await runQuotes({ DATA_DIR }, '--import', file)).output).toContain(
    `Stored: 0; there already or repeated: ${all};`,
  );
  expect((await runQuotes({ DATA_DIR }, '--csv')).output).toBe(again.output);
});
