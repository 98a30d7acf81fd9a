import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { PARTS, type Part } from './parts.ts';
import { run } from './run.ts';
import { quoted, titlePattern } from './titles.ts';

/** A part, and which of its files: none named is all of them. */
export interface Chosen {
  readonly part: Part;
  readonly files: readonly string[];
}

export interface Choice {
  readonly chosen: readonly Chosen[];
  /** What the title of each test must have in it. */
  readonly titles: readonly string[];
}

/**
 * `quick`, the name of a part, or of a file; what is none of these stands in titles.
 * Several files are all run; several words of a title must all stand in it.
 */
export async function choose(words: readonly string[]): Promise<Choice> {
  const quick = words.includes('quick');
  const parts = PARTS.filter((part) => !quick || part.quick).map((part) => ({ part, files: filesOf(part) }));
  const wanted = words.filter((word) => word !== 'quick');
  if (wanted.length === 0) return { chosen: parts.map(({ part }) => ({ part, files: [] })), titles: [] };

  const isPart = (word: string) => parts.some(({ part }) => part.name === word);
  const isFile = (word: string) => parts.some(({ files }) => files.some((file) => file.includes(word)));
  const titles = wanted.filter((word) => !isPart(word) && !isFile(word));
  const places = wanted.filter((word) => !titles.includes(word));
  if (places.length === 0) return { chosen: await holding(titles, parts), titles };

  const chosen = parts.flatMap(({ part, files }): Chosen[] => {
    if (titles.length > 0 && !part.tests) return [];
    if (places.includes(part.name)) return [{ part, files: [] }];
    const named = files.filter((file) => places.some((place) => !isPart(place) && file.includes(place)));
    return named.length > 0 ? [{ part, files: named }] : [];
  });
  return { chosen, titles };
}

/** As `unit/rules.test.ts`. */
function filesOf({ tests }: Part): string[] {
  if (!tests) return [];
  const names = readdirSync(`tests/${tests.folder}`).filter((name) => name.endsWith('.test.ts'));
  return names.toSorted().map((name) => `${tests.folder}/${name}`);
}

/** The files in which a title has all of these words. */
async function holding(words: readonly string[], parts: readonly Chosen[]): Promise<Chosen[]> {
  const pattern = titlePattern(words);
  const found = await Promise.all(
    parts.map(async ({ part, files }) => {
      if (!part.tests) return [];
      const listed = await (part.command.startsWith('vitest') ? listedByVitest : listedByPlaywright)(part, pattern);
      // A file that cannot be read keeps the others from being listed: it comes to light when they run.
      const named = listed ? files.filter((file) => listed.some((each) => each.endsWith(`/${file}`))) : files;
      return named.length > 0 ? [{ part, files: named }] : [];
    }),
  );
  return found.flat();
}

/** Read without running them, for some ask a database what there is to test: a table's rows are not in the titles. */
async function listedByVitest({ name }: Part, pattern: string): Promise<string[] | undefined> {
  const json = `.cache/${name}-titles.json`;
  const { status } = await run(`vitest list --project ${name} --json=${json}`);
  if (status !== 0) return undefined;
  const tests = JSON.parse(await readFile(json, 'utf8')) as { name: string; file: string }[];
  await rm(json);
  const titles = new RegExp(pattern);
  return tests.filter((test) => titles.test(test.name)).map(({ file }) => file);
}

async function listedByPlaywright({ command }: Part, pattern: string): Promise<string[] | undefined> {
  const config = /--config \S+/.exec(command)?.[0] ?? '';
  const matching = `-g ${quoted(pattern)} --pass-with-no-tests`;
  const { status, output } = await run(`playwright test ${config} --list --reporter=json ${matching}`);
  if (status !== 0) return undefined;
  const report = JSON.parse(output.slice(output.indexOf('{'))) as {
    readonly config: { readonly rootDir: string };
    readonly suites: readonly { readonly title: string }[];
  };
  return report.suites.map(({ title }) => `${report.config.rootDir}/${title}`);
}

/** In a line. */
export function describe({ chosen, titles }: Choice): string {
  const places = chosen.map(({ part, files }) => (files.length > 0 ? files.join(', ') : part.name)).join(', ');
  return titles.length > 0
    ? `Chosen: ${titles.map((title) => `"${title}"`).join(' and ')} in ${places}`
    : `Chosen: ${places}`;
}
