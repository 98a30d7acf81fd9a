import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Labels are heard by who navigates in Spanish, hand-offs read by the sales team; the law’s texts bind in Spanish, with a summary in English. */
const IN_ONE_LANGUAGE = [
  /\.(label|caption|picture|alt|rating|placeholder|skip|home)$/,
  /\.(name|icon|url|code|type|kind|mark|figure|author|role)$/,
  /^(documents|structuredData|privacy|terms|helperFailures|points)\./,
  /^(questions\.items|sampleTestimonials)\.\d+\.(question|answer|quote)(En)?$/,
  /^(voiceDemo\.title|designer\.(title|exports\.sizes)|footer\.(routes|contact)|map\.(forced|source)|navigation\.quote)\b/,
  /^(network\.(arrivals|legend\.from)|handOff(Lines|Beside)\.\w+|quote\.security\.link)$/,
];

/** What both languages call the same. */
const THE_SAME = ['handOff.sms', 'handOff.whatsapp', 'myData.no', 'quoteForm.fields.tipo_carga.choices.general'];

const content = await Promise.all(
  readdirSync('src/content').map(
    async (file) =>
      [file, (await import(/* @vite-ignore */ `../../src/content/${file}`)) as Record<string, unknown>] as const,
  ),
);

interface Told {
  readonly where: string;
  readonly es: unknown;
  readonly en?: unknown;
}

/** Every text, also what a function makes of a figure or a folio. */
function* texts(value: unknown, where: string): Generator<Told> {
  if (typeof value === 'string') yield { where, es: value };
  else if (typeof value === 'function') yield* texts(spoken(value as (...of: unknown[]) => unknown), where);
  else if (typeof value === 'object' && value !== null) {
    if ('es' in value && 'en' in value) yield { where, es: value.es, en: value.en };
    else for (const [key, part] of Object.entries(value)) yield* texts(part, `${where}.${key}`);
  }
}

function spoken(say: (...of: unknown[]) => unknown): unknown {
  try {
    return say(7, 8);
  } catch {
    return undefined;
  }
}

const all = content.flatMap(([, parts]) => Object.entries(parts).flatMap(([name, part]) => [...texts(part, name)]));

test('every text that is read has its English', () => {
  expect(all.length).toBeGreaterThan(400);
  const alone = all.filter(({ es, en }) => en === undefined && /\p{L}{4}/u.test(String(es)));
  expect(alone.filter(({ where }) => !IN_ONE_LANGUAGE.some((place) => place.test(where)))).toEqual([]);
});

test('the two languages of a text are two', () => {
  const same = all.filter(({ es, en }) => en === es).map(({ where }) => where);
  expect(same.toSorted()).toEqual(THE_SAME);
});
