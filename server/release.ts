import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeAtomically } from './database/durable-files.ts';

const RELEASE = 'release.json';

const releaseSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** Of the sources, where it is known. */
  commit: z.string().nullable(),
  /** The Node that it was tried on. */
  node: z.string(),
  /** Day on which whoever made it last read Node's advisories. */
  advisoriesRead: z.string(),
  /** What the site was built with, and can no longer be changed where it is served. */
  settings: z.record(z.string(), z.string()),
});

export type Release = z.infer<typeof releaseSchema>;

/** What was unpacked here; nothing where these are the sources. */
export function readRelease(): Release | undefined {
  if (!existsSync(RELEASE)) return undefined;
  return releaseSchema.parse(JSON.parse(readFileSync(RELEASE, 'utf8')));
}

/** As people say it: "0.1.0 (3285e00)". */
export function nameOfRelease(): string {
  const { version, commit } = readRelease() ?? { ...ofSources(), commit: null };
  return commit ? `${version} (${commit.slice(0, 7)})` : version;
}

const ofSources = () => z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));

const NOTE = 'release';

/** By which release this data was last opened; those of before there were notes left none. */
export function releaseNotedIn(dataDir: string): string | undefined {
  const note = path.join(dataDir, NOTE);
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : undefined;
}

export function noteRelease(dataDir: string): void {
  const name = nameOfRelease();
  if (name !== releaseNotedIn(dataDir)) writeAtomically(path.join(dataDir, NOTE), `${name}\n`);
}

/** After going back: whoever opens it next is of before there were notes, or notes itself. */
export const forgetRelease = (dataDir: string): void => rmSync(path.join(dataDir, NOTE), { force: true });
