import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeAtomically } from './database/durable-files.ts';

const RELEASE = 'release.json';

const releaseSchema = z.object({
  name: z.string(),
  version: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  /** Day on which Node's advisories were last read for this release. */
  advisoriesRead: z.string(),
  /** Settings that are built into the site. */
  settings: z.record(z.string(), z.string()),
});

export type Release = z.infer<typeof releaseSchema>;

export function readRelease(): Release | undefined {
  if (!existsSync(RELEASE)) return undefined;
  return releaseSchema.parse(JSON.parse(readFileSync(RELEASE, 'utf8')));
}

/** Version with commit, such as "0.1.0 (3285e00)". */
export function nameOfRelease(): string {
  const { version, commit } = readRelease() ?? { ...ofSources(), commit: null };
  return commit ? `${version} (${commit.slice(0, 7)})` : version;
}

const ofSources = () => z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));

const NOTE = 'release';

export function releaseNotedIn(dataDir: string): string | undefined {
  const note = path.join(dataDir, NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined;
}

export function noteRelease(dataDir: string): void {
  const name = nameOfRelease();
  if (name !== releaseNotedIn(dataDir)) writeAtomically(path.join(dataDir, NOTE), `${name}\n`);
}

/**
 * Removes the note that this release left beside the data, because the upgrade to this release is undone. The earlier
 * release writes its own note.
 */
export const forgetRelease = (dataDir: string): void => rmSync(path.join(dataDir, NOTE), { force: true });
