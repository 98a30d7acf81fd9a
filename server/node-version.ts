import type { Bilingual } from '../src/content/bilingual.ts';
import { advisoriesOf, READ_ON } from '../build/node-advisories.mjs';
import { readRelease } from './release.ts';

export function nodeHealth(version = process.versions.node) {
  const { found, safe } = advisoriesOf(version);
  const read = readRelease()?.advisoriesRead ?? READ_ON;
  return { version, vulnerabilities: found.map(({ id }) => id), ...(found.length > 0 && { safe }), read };
}

export function nodeWarning(version = process.versions.node): Bilingual | undefined {
  const { vulnerabilities, safe, read } = nodeHealth(version);
  if (vulnerabilities.length === 0) return undefined;
  const [count, ids] = [vulnerabilities.length, vulnerabilities.join(', ')];
  return {
    es: `ATENCIÓN: Node ${version} tiene ${count} vulnerabilidades conocidas (${ids}; lista del ${read}). Instale Node ${safe} o posterior: docs/operar.md, "Un Node más nuevo".`,
    en: `WARNING: Node ${version} has ${count} known vulnerabilities (${ids}; list of ${read}). Install Node ${safe} or newer: docs/operar.md, "Un Node más nuevo".`,
  };
}
