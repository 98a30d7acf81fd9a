import { z } from 'zod';
import { handlingOf, noticeVersion } from './notice.ts';
import { readRenamed } from './setting-names.ts';

/** One that is not set, or blank, is as good as any. */
const that = (says: string, good: z.ZodType) =>
  z
    .string()
    .optional()
    .refine((value) => !value || good.safeParse(value).success, { error: says });

const url = z.string().refine(isUrl);
const token = z.string().regex(/^\S+$/);
const words = z
  .string()
  .max(120)
  .regex(/^[^\r\n]*\S[^\r\n]*$/);
const phone = z.string().regex(/^\+[\d ()-]{7,20}$/);
const said = z.string().regex(/\S/);
const ONE_LINE = 'one line of at most 120 characters';
const PHONE = 'a phone number with its country code, e.g. +52 664 123 4567';

/** The variables that a deployment may set, with what each must be. Everything is optional. */
const variables = z.object({
  VITE_SUPABASE_URL: that(
    'the https address of the project with nothing behind it, e.g. https://abcd.supabase.co',
    url.refine((value) => value === URL.parse(value)?.origin),
  ),
  VITE_SUPABASE_PUBLISHABLE_KEY: that('the publishable key, without spaces', token),
  VITE_VAPI_PUBLIC_KEY: that('the public key of the voice provider, without spaces', token),
  VITE_VAPI_ASSISTANT_ID: that('the id of the assistant, without spaces', token),
  VITE_VAPI_BASE_URL: that(
    'the https address of the voice provider, without a slash at its end',
    url.refine((value) => !value.endsWith('/')),
  ),
  VITE_TILE_URL: that(
    'an https address with {z}, {x} and {y} in it, and {s} nowhere but as its first name',
    z
      .string()
      .includes('{x}')
      .includes('{y}')
      .includes('{z}')
      // A policy allows all subdomains or none: tile-*.example.com is no source.
      .refine((value) => !value.replace('//{s}.', '//').includes('{s}'))
      .refine((value) => isUrl(value.replaceAll(/[{}]/g, ''))),
  ),
  VITE_TILE_ATTRIBUTION: z.string().optional(),
  VITE_HERO_IMAGE_URL: that('the https address of a picture', url),
  VITE_SITE_URL: that(
    'the https address under which the site is published, without a path',
    // The site stands at the root of its address.
    url.refine((value) => URL.parse(value)?.href === `${URL.parse(value)?.origin}/`),
  ),
  VITE_DATA_PLACE: that(ONE_LINE, words),
  VITE_RETIRE_WORKER: that('1, or not set', z.literal('1')),
  VITE_COMPANY_NAME: that(ONE_LINE, words),
  VITE_COMPANY_LEGAL_NAME: that(ONE_LINE, words),
  VITE_COMPANY_PHONE: that(PHONE, phone),
  VITE_COMPANY_WHATSAPP: that(PHONE, phone),
  VITE_COMPANY_EMAIL: that('an e-mail address', z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  VITE_COMPANY_ADDRESS: that(ONE_LINE, words),
  VITE_TESTIMONIALS: that(
    'a list in JSON, each with its quote, quoteEn, author, role and rating (1 to 5), or [] for none',
    z.preprocess(
      jsonIn,
      z.array(z.object({ quote: said, quoteEn: said, author: said, role: said, rating: z.int().min(1).max(5) })),
    ),
  ),
});

/** All that a build may be told. */
export const settingNames: readonly string[] = Object.keys(variables.shape);

const TOGETHER = [
  ['VITE_SUPABASE_URL', 'VITE_SUPABASE_PUBLISHABLE_KEY'],
  ['VITE_VAPI_PUBLIC_KEY', 'VITE_VAPI_ASSISTANT_ID'],
  ['VITE_TILE_URL', 'VITE_TILE_ATTRIBUTION'],
] as const;

/** A published page may not carry the sample company, nor what nobody said of it. */
const NEEDED_TO_PUBLISH = [
  'VITE_COMPANY_LEGAL_NAME',
  'VITE_COMPANY_ADDRESS',
  'VITE_COMPANY_PHONE',
  'VITE_COMPANY_WHATSAPP',
  'VITE_COMPANY_EMAIL',
  'VITE_TESTIMONIALS',
];

export type Environment = Readonly<Record<string, string>>;

/** The variables that are set, also by .env; no other file is read, so that a build can be told from another. */
export function readEnvironment(): Environment {
  const publishable = readRenamed('VITE_SUPABASE_PUBLISHABLE_KEY', process.env);
  const given: NodeJS.ProcessEnv = { ...process.env, VITE_SUPABASE_PUBLISHABLE_KEY: publishable };
  return Object.fromEntries(settingNames.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
}

/** Each variable, set or not, as a constant of the build: what is not configured is not shipped. */
export function constants(environment: Environment): Record<string, string> {
  const facts = { ...environment, ...noticeConstants(environment) };
  return Object.fromEntries(
    [...settingNames, 'NOTICE_VERSION', 'NOTICE_FACTS'].map((name) => [
      `import.meta.env.${name}`,
      JSON.stringify(facts[name] ?? ''),
    ]),
  );
}

/**
 * Where the data go, how long they stay and by what they leave is set for the server, which may be elsewhere: a build
 * takes what its own environment has of it, and a server that starts says where that is otherwise.
 */
function noticeConstants(environment: Environment): Environment {
  const handling = handlingOf({ ...serverFacts(), ...environment });
  return { NOTICE_FACTS: JSON.stringify(handling), NOTICE_VERSION: noticeVersion(environment, handling) };
}

const serverFacts = () => {
  const { DATABASE_URL, SMTP_URL, RETENTION_MONTHS } = process.env;
  return { DATABASE_URL, SMTP_URL, RETENTION_MONTHS };
};

/** Throws with a sentence for each thing that is wrong. */
export function checkEnvironment(environment: Environment): void {
  const wrong = (variables.safeParse(environment).error?.issues ?? []).map(({ path: [name], message }) => {
    return `${String(name)} must be ${message}; it is "${environment[String(name)]}".`;
  });
  for (const [one, other] of TOGETHER) {
    if (!environment[one] !== !environment[other]) wrong.push(`${one} and ${other} must be set together.`);
  }
  if (environment['VITE_SITE_URL']) {
    const missing = NEEDED_TO_PUBLISH.filter((name) => !environment[name]);
    if (missing.length > 0) wrong.push(`To publish the site (VITE_SITE_URL is set), set ${missing.join(', ')} too.`);
  }
  if (wrong.length > 0)
    throw new Error(`The environment is not right:\n${wrong.map((line) => `- ${line}`).join('\n')}`);
}

function isUrl(value: string): boolean {
  // Plain http is for a server on the same machine.
  return URL.canParse(value) && /^(https:|http:\/\/([\w-]+\.)?(localhost|127\.0\.0\.1)([:/]|$))/.test(value);
}

function jsonIn(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}
