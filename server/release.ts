import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const RELEASE = 'release.json';

const releaseSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** Of the sources, where it is known. */
  commit: z.string().nullable(),
  /** The Node that it was tried on. */
  node: z.string(),
  /** What the site was built with, and can no longer be changed where it is served. */
  settings: z.record(z.string(), z.string()),
});

export type Release = z.infer<typeof releaseSchema>;

/** What was unpacked here; nothing where these are the sources. */
export function readRelease(): Release | undefined {
  if (!existsSync(RELEASE)) return undefined;
  return releaseSchema.parse(JSON.parse(readFileSync(RELEASE, 'utf8')));
}
