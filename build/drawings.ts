import { mkdirSync, writeFileSync } from 'node:fs';
import { benefits } from './drawings/benefits.ts';
import { calendar } from './drawings/calendar.ts';
import { coldChain } from './drawings/cold-chain.ts';
import { route } from './drawings/route.ts';

/** The pictures of the lower sections, by their files. Their figures are those of src/content/claims.ts. */
export const drawings = {
  'cold-chain': coldChain,
  benefits,
  route,
  calendar,
} satisfies Record<string, () => string>;

if (import.meta.main) {
  mkdirSync('public/drawings', { recursive: true });
  for (const [name, draw] of Object.entries(drawings)) writeFileSync(`public/drawings/${name}.svg`, draw());
}
