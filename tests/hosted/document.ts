import type { Difference } from './differences.ts';
import { CALLERS, type Asked } from './both.ts';

const MARKS = ['<!-- differences -->', '<!-- end of differences -->'] as const;

/** Returns the document with a new list of differences between the two HTML comments in MARKS. */
export function documentWith(document: string, differences: readonly Difference[], inStories: number): string {
  const text = [
    `The tests send the same requests to both servers: ${inStories.toLocaleString('en')} in the order of a quote's life, and all that phone, desk and command line send, from ${CALLERS.length} callers (with and without keys, signed in and not). Status, body and six headers are equal, except for these:`,
    [
      '| asked | for example | hosted | embedded | why |',
      '| --- | --- | --- | --- | --- |',
      ...differences.map(
        ({ what, example, hosted, embedded, reason }) =>
          `| ${[what, inWords(example), hosted, embedded, reason].join(' | ')} |`,
      ),
    ].join('\n'),
  ].join('\n\n');
  const [from, to] = [document.indexOf(MARKS[0]) + MARKS[0].length, document.indexOf(MARKS[1])];
  return `${document.slice(0, from)}\n\n${text}\n\n${document.slice(to)}`;
}

function inWords({ method, path, headers = {}, body }: Asked): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const shown = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  const line = [`${method} ${path}`, ...more, ...(shown ? [shown] : [])].join(', ');
  return `\`${line.replaceAll('\n', '\\n').replaceAll('|', '\\|')}\``;
}
