import type { Proof } from './mail-match.ts';

/** Number of characters after which a header is cut off. */
const LONGEST = 4000;

/** Turns line breaks into spaces, and removes comments in parentheses. Parentheses inside quoted text stay. */
function withoutComments(text: string): string {
  let depth = 0;
  let quoted = false;
  let plain = '';
  for (const letter of text) {
    if (letter === '"' && depth === 0) quoted = !quoted;
    if (!quoted && letter === '(') depth += 1;
    else if (!quoted && letter === ')' && depth > 0) depth -= 1;
    else if (depth === 0) plain += /\s/.test(letter) ? ' ' : letter;
  }
  return plain;
}

const unquoted = (value: string) => value.trim().replaceAll('"', '').toLowerCase();

/** True if the domains are equal, or one is a subdomain of the other, as in the relaxed alignment of DMARC. */
const isAligned = (one: string, other: string) =>
  one !== '' &&
  other.includes('.') &&
  one.includes('.') &&
  (one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`));

/**
 * Reads from `Authentication-Results` (RFC 8601) whether the sender's domain is genuine. Only the topmost header of our
 * own mail provider is used, because the sender may have written the others.
 */
export function readProof(headers: readonly string[], authserv: string, domain: string): Proof {
  if (!authserv) return 'unknown';
  const own = headers
    .map((header) => withoutComments(header.slice(0, LONGEST)).split(';'))
    .find(([name = '']) => unquoted(name).split(' ')[0] === authserv);
  if (!own) return 'unknown';
  const results = own.slice(1).map((part) => {
    const [, method = '', result = ''] = /^\s*([\w-]+)(?:\/\d+)?\s*=\s*(\w+)/.exec(part) ?? [];
    const properties = [...part.matchAll(/(?:^|\s)([\w.-]+)\s*=\s*("[^"]*"|[^\s;]+)/g)];
    const value = (name: string) => unquoted(properties.find(([, key]) => key?.toLowerCase() === name)?.[2] ?? '');
    return { method: method.toLowerCase(), result: result.toLowerCase(), value };
  });
  const of = (method: string) => results.filter((each) => each.method === method);
  const [dmarc] = of('dmarc');
  if (dmarc?.result === 'pass') return isAligned(dmarc.value('header.from') || domain, domain) ? 'pass' : 'fail';
  if (dmarc?.result === 'fail') return 'fail';
  const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);
  const isProven =
    of('dkim').some(
      ({ result, value }) => result === 'pass' && isAligned(value('header.d') || domainOf(value('header.i')), domain),
    ) ||
    of('spf').some(({ result, value }) => result === 'pass' && isAligned(domainOf(value('smtp.mailfrom')), domain));
  if (isProven) return 'pass';
  return results.some(
    ({ method, result }) => ['dkim', 'spf'].includes(method) && /^(fail|softfail|permerror)$/.test(result),
  )
    ? 'fail'
    : 'unknown';
}
