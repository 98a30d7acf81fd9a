import { advisoriesOf, READ_ON } from '../build/node-advisories.mjs';
import { readRelease } from './release.ts';

/** Running Node, its known vulnerabilities, and the day on which their list was read. */
export function nodeHealth(version = process.versions.node) {
  const { found, safe } = advisoriesOf(version);
  const read = readRelease()?.advisoriesRead ?? READ_ON;
  return { version, vulnerabilities: found.map(({ id }) => id), ...(found.length > 0 && { safe }), read };
}

/** A sentence for the operator if there is something to do. */
export function nodeWarning(version = process.versions.node): string | undefined {
  const { vulnerabilities, safe, read } = nodeHealth(version);
  if (vulnerabilities.length === 0) return undefined;
  const ids = vulnerabilities.join(', ');
  return `WARNING: Node ${version} has ${vulnerabilities.length} known vulnerabilities (${ids}; list of ${read}). Install Node ${safe} or newer: docs/operar.md, "Un Node más nuevo".`;
}
