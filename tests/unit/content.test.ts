import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { benefits } from '../../src/content/benefits.ts';

/** Spanish texts without English: labels for screen readers, messages to the sales team, binding legal texts. */
const IN_ONE_LANGUAGE = [
  /\.(label|caption|picture|alt|rating|placeholder|skip|home)$/,
  /^(deskLead\.(greeting|subject|seeIt|howToAccept|lostNote)|deskFigures\.hour|deskList\.keys\.list\.\d+\.key)$/,
  /\.(name|icon|drawing|url|code|type|kind|mark|figure|author|role)$/,
  /^(documents|structuredData|privacy|terms|helperFailures|points|origins|destinations|hub|MODES|WORDS)\./,
  /^(questions\.items|sampleTestimonials)\.\d+\.(question|answer|quote)(En)?$/,
  /^(voiceDemo\.title|designer\.(title|exports\.sizes)|footer\.(routes|contact)|map\.(forced|source)|navigation\.quote)\b/,
  /^languages\.choices\./,
  /^(network\.(arrivals|legend\.from)|handOff(Lines|Beside)\.\w+|quote\.security\.link|shipmentWords\.places\.\w+)$/,
];

const THE_SAME = `
  deskAnswer.kilo deskAnswer.total deskLead.whatsapp deskNew.origins.whatsapp details.no
  fieldWords.tipo_carga.choices.general handOff.sms handOff.whatsapp products.7 products.8 voice.whatsapp`
  .trim()
  .split(/\s+/);

/** Files whose functions compose texts; other tests cover these files. */
const COMPOSED = ['charge-words.ts', 'dates.ts', 'hand-off.ts', 'prices.ts', 'refusals.ts'];

const content = await Promise.all(
  readdirSync('src/content')
    .filter((file) => !COMPOSED.includes(file))
    .map(
      async (file) =>
        [file, (await import(/* @vite-ignore */ `../../src/content/${file}`)) as Record<string, unknown>] as const,
    ),
);

interface Text {
  readonly where: string;
  readonly es: unknown;
  readonly en?: unknown;
}

/** Yields every text, including those that functions build from a figure or a folio. */
function* texts(value: unknown, where: string): Generator<Text> {
  if (typeof value === 'string') yield { where, es: value };
  else if (typeof value === 'function') yield* texts(composed(value as (...of: unknown[]) => unknown), where);
  else if (typeof value === 'object' && value !== null) {
    if ('es' in value && 'en' in value) yield { where, es: value.es, en: value.en };
    else for (const [key, part] of Object.entries(value)) yield* texts(part, `${where}.${key}`);
  }
}

function composed(say: (...of: unknown[]) => unknown): unknown {
  try {
    return say(7, 8);
  } catch {
    return undefined;
  }
}

const all = content.flatMap(([, parts]) => Object.entries(parts).flatMap(([name, part]) => [...texts(part, name)]));

test('every Spanish text has an English version, except texts that need none', () => {
  expect(all.length).toBeGreaterThan(400);
  const alone = all.filter(({ es, en }) => en === undefined && /\p{L}{4}/u.test(String(es)));
  expect(alone.filter(({ where }) => !IN_ONE_LANGUAGE.some((place) => place.test(where)))).toEqual([]);
});

test('the Spanish and English versions of a text differ, except in listed cases', () => {
  const same = all.filter(({ es, en }) => en === es).map(({ where }) => where);
  expect(same.toSorted()).toEqual(THE_SAME);
});

test('ten at night in Tijuana is office time in Zhengzhou, in summer and in winter', () => {
  const { es, en } = benefits.items.at(-1)!.text;
  expect(es).toContain('Las diez de la noche en Tijuana son hora de oficina en Zhengzhou');
  expect(en).toContain('Ten at night in Tijuana is office time in Zhengzhou');
  const hourIn = (timeZone: string, at: Date) =>
    Number(at.toLocaleString('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }));
  for (const ten of ['2026-07-15T22:00-07:00', '2026-01-15T22:00-08:00'].map((text) => new Date(text))) {
    expect(hourIn('America/Tijuana', ten)).toBe(22);
    // Chinese offices work from nine to six, with a break at noon. The hours 9 and 17 are left out, because some
    // offices open later or close earlier.
    expect([10, 11, 13, 14, 15, 16]).toContain(hourIn('Asia/Shanghai', ten));
  }
});
