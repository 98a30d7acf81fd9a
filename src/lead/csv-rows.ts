/** Row of a CSV file. `line`: number of the line on which the row begins; the first line is 1. */
export interface CsvCells {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads the text of a file in UTF-8 or UTF-16, or in Windows-1252, which older spreadsheets write. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a byte order mark, zeros reveal UTF-16: every second byte of Latin text is zero.
  const start = bytes.subarray(0, 400);
  const zeros = [0, 1].map((rest) => start.filter((byte, at) => byte === 0 && at % 2 === rest).length);
  const isWide = zeros[0]! + zeros[1]! > start.length / 4;
  if (!isWide) return 'utf-8';
  return zeros[1]! > zeros[0]! ? 'utf-16le' : 'utf-16be';
}

/**
 * Reads the rows of a CSV file separated by commas, semicolons or tabs. `unclosed`: line of a quotation mark that is
 * never closed; from that line on the rows cannot be read.
 */
export function readCsvRows(text: string): { readonly rows: readonly CsvCells[]; readonly unclosed?: number } {
  const [declared = '', separatorDeclared] = /^\ufeff?sep=([,;\t])\r?\n/i.exec(text) ?? /^\ufeff/.exec(text) ?? [];
  const separator = separatorDeclared ?? separatorOf(text);
  const rows: CsvCells[] = [];
  let line = separatorDeclared ? 2 : 1;
  let cells: string[] = [];
  let first = line;
  let at = declared.length;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      const from = line;
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) return { rows, unclosed: from };
        cell += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
      line += breaksIn(cell);
    }
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
    cells.push(cell + text.slice(from, at));
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      cells.push('');
    }
    rows.push({ line: first, cells });
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    first = line;
    cells = [];
  }
  return { rows };
}

const breaksIn = (text: string) => text.match(/\r\n|[\r\n]/g)?.length ?? 0;

/** Returns the separator that occurs most often in the first line, not counting text in quotation marks. */
function separatorOf(text: string): string {
  const heading = /^(?:"[^"]*"|[^"\r\n])*/.exec(text.slice(0, 10_000))![0].replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => heading.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * Returns the text without accents, spaces and punctuation, in lower case, so that different spellings compare as
 * equal.
 */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Removes the apostrophes that `csvCell` (csv.ts) puts before formulas and numbers. */
export const readCsvCell = (text: string): string =>
  text.replaceAll(/(^|[,;])'(?=[\s"\p{DI}]*[=+\-@＝＋－＠])/gu, '$1').replace(/^'(?=0\d+$|\d{12,}$)/, '');
