import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runProcess, send, serverOfFile, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const ROWS = 10_000;
const shared = serverOfFile();

test('the import of ten thousand leads takes at most a minute, while quotes arrive', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const contact = `Contacto ${at},Empresa ${at % 700},c${at}@ejemplo.mx,${6_640_000_000 + at}`;
    return `${contact},${1 + at},28/11/2024,perdida`;
  });
  const file = path.join(temporaryDirectory(), 'clientes.csv');
  writeFileSync(file, ['nombre,empresa,correo,celular,kg,fecha,estado', ...rows].join('\r\n'));
  const began = performance.now();
  const importing = runProcess('quotes', { DATA_DIR: shared.dataDir }, ['--import', file]);
  const over = importing.then(() => true);
  let slowest = 0;
  let quotes = 0;
  do {
    const from = performance.now();
    expect((await send(shared.address, sampleQuote())).status).toBe(201);
    slowest = Math.max(slowest, performance.now() - from);
    quotes += 1;
  } while (!(await Promise.race([over, wait(200)])));
  const { code, output, errors } = await importing;
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${ROWS} rows: ${seconds.toFixed(1)} s; ${quotes} quotes meanwhile, the slowest ${slowest.toFixed(0)} ms`,
  );
  expect({ code, output, errors }).toMatchObject({
    code: 0,
    output: `Stored: ${ROWS}; there already or repeated: 0; with an error: 0.\n`,
  });
  expect(errors).toMatch(/^\d+ of 10000 rows …$/m);
  // The allowed time grows with the load of the machine.
  const others = Math.max(1, loadavg()[0]! / availableParallelism());
  expect(seconds).toBeLessThan(60 * others);
  expect(slowest).toBeLessThan(2000 * others);
  const again = await runProcess('quotes', { DATA_DIR: shared.dataDir }, ['--import', file]);
  expect(again.output).toBe(`Stored: 0; there already or repeated: ${ROWS}; with an error: 0.\n`);
});
