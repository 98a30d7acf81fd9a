// Known vulnerabilities of Node. This file is JavaScript, because build/pinned-node.mjs also imports it on Node
// versions that cannot run TypeScript.

/** Oldest Node that runs this project's TypeScript. */
export const OLDEST = '24.2.0';

/** Day of the last comparison with https://nodejs.org/en/blog/vulnerability */
export const READ_ON = '2026-11-27';

const OCTOBER = { '11.7.0': '22.23.4', '23.0.0': '24.22.1', '25.0.0': '26.12.1' };
const NOVEMBER = { '0.0.0': '22.23.5', '23.0.0': '24.22.3', '25.0.0': '26.13.1' };

/**
 * Advisories of October and November 2026. Earlier advisories are left out: the first entry affects every version that
 * they affect. `affected`: the first affected version of each range, with the version that fixes it.
 * @type {readonly { readonly id: string, readonly what: string, readonly affected: Readonly<Record<string, string>> }[]}
 */
const ADVISORIES = [
  { id: 'CVE-2026-111497', what: 'the Brotli decoder writes out of bounds', affected: OCTOBER },
  {
    id: 'CVE-2026-105483',
    what: 'a TLS certificate passes for an IP address in fullwidth digits',
    affected: { '24.0.0': '24.22.1', '26.0.0': '26.12.1' },
  },
  { id: 'CVE-2026-106069', what: 'a TLS certificate passes for an IP address with a leading zero', affected: OCTOBER },
  { id: 'CVE-2026-106072', what: 'a TLS certificate passes for an IP address in another spelling', affected: OCTOBER },
  { id: 'CVE-2026-105482', what: 'dns.resolve cuts names at a NUL', affected: OCTOBER },
  { id: 'CVE-2026-105481', what: 'a kept connection takes an answer from before its request', affected: OCTOBER },
  { id: 'CVE-2026-106074', what: 'random values repeat in processes of one snapshot', affected: OCTOBER },
  { id: 'CVE-2026-123864', what: 'an HTTPS server gives away memory of other connections', affected: NOVEMBER },
  { id: 'CVE-2026-123866', what: 'an HTTP/2 server gives away memory of other connections', affected: NOVEMBER },
  { id: 'CVE-2026-123867', what: 'a TLS server takes a client certificate of another host', affected: NOVEMBER },
  { id: 'CVE-2026-123872', what: 'a TLS client changes its host by renegotiation', affected: NOVEMBER },
  {
    id: 'CVE-2026-123874',
    what: 'an HTTP/2 server of files uses memory that is free',
    affected: { '24.22.0': '24.22.3', '26.9.0': '26.13.1' },
  },
];

/** @param {string} version @param {string} other */
export function isAtLeast(version, other) {
  const [one, two] = [version, other].map((each) => each.split('.').map(Number));
  for (const [at, part] of two.entries()) if (one[at] !== part) return one[at] > part;
  return true;
}

/**
 * Returns `found`, the advisories that affect a version, and `safe`, the oldest later version that fixes all of them.
 * @param {string} version
 */
export function advisoriesOf(version) {
  const found = ADVISORIES.flatMap(({ id, what, affected }) =>
    Object.entries(affected)
      .filter(([from, fixed]) => isAtLeast(version, from) && !isAtLeast(version, fixed))
      .map(([, fixed]) => ({ id, what, fixed })),
  );
  const safe = found.reduce((latest, { fixed }) => (isAtLeast(fixed, latest) ? fixed : latest), version);
  return { found, safe };
}
