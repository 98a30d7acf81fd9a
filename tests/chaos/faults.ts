import type { Fault } from '../e2e/service.ts';

const page = { 'content-type': 'text/html' };
const slowly = { 'retry-after': '2', 'content-type': 'application/json' };

/** Faults of a connection while a phone sends a quote. */
export const FAULTS = {
  'request lost': { kind: 'lose-request' },
  'answer lost': { kind: 'lose-answer' },
  'no answer ever': { kind: 'hang' },
  '500': { kind: 'answer', status: 500 },
  '503, come again': { kind: 'answer', status: 503, headers: { 'retry-after': '1' } },
  '429, come again': { kind: 'answer', status: 429, headers: slowly, body: '{"code":"PT429"}' },
  'a portal’s page': { kind: 'answer', status: 200, headers: page, body: '<h1>WiFi</h1>' },
} as const satisfies Record<string, Fault>;
