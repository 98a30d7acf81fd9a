import { expect, test } from 'vitest';
import { csv } from '../../server/lead-formats.ts';
import { sampleQuote } from '../integration/sample-quote.ts';

const line = (empresa: string) =>
  csv.line({
    ...sampleQuote(),
    tipo_carga: 'general',
    created_at: '2026-11-22T20:00:00Z',
    folio: 'AP-0000-0000',
    empresa,
  });

// In Mexico and Europe a spreadsheet may separate at semicolons: the second half would be a cell of its own, and run.
test.each([
  ['Frutas;=1+1', '"Frutas;=1+1"'],
  ['Frutas\t=1+1', 'Frutas =1+1'],
  ['Frutas, S.A.', '"Frutas, S.A."'],
  ['Frutas "del" Valle', '"Frutas ""del"" Valle"'],
  ['=1+1', "'=1+1"],
  ['  @sum', "'  @sum"],
])('of %o a spreadsheet reads one text', (written, cell) => {
  expect(line(written)).toContain(`,${cell},maria.`);
});
