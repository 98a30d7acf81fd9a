import { z } from 'zod';
import { handlingOf, noticeVersion } from './privacy-notice.ts';
import { readRenamed } from './setting-names.ts';

/** Optional setting; a blank value counts as missing. */
const optional = (says: string, good: z.ZodType) =>
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
const text = z.string().regex(/\S/);
const ONE_LINE = 'one line of at most 120 characters';
const PHONE = 'a phone number with its country code, e.g. +52 664 123 4567';

const variables = z.object({
  VITE_SUPABASE_URL: optional(
    'the https address of the project with nothing behind it, e.g. https://abcd.supabase.co',
    url.refine((value) => value === URL.parse(value)?.origin),
  ),
  VITE_SUPABASE_PUBLISHABLE_KEY: optional('the publishable key, without spaces', token),
  VITE_VAPI_PUBLIC_KEY: optional('the public key of the voice provider, without spaces', token),
  VITE_VAPI_ASSISTANT_ID: optional('the id of the assistant, without spaces', token),
  VITE_VAPI_BASE_URL: optional(
    'the https address of the voice provider, without a slash at its end',
    url.refine((value) => !value.endsWith('/')),
  ),
  VITE_TILE_URL: optional(
    'an https address with {z}, {x} and {y} in it, and {s} nowhere but as its first name',
    z
      .string()
      .includes('{x}')
      .includes('{y}')
      .includes('{z}')
      // A security policy can have a whole subdomain as wildcard, but not a part of one: tile-*.example.com is invalid.
      .refine((value) => !value.replace('//{s}.', '//').includes('{s}'))
      .refine((value) => isUrl(value.replaceAll(/[{}]/g, ''))),
  ),
  VITE_TILE_ATTRIBUTION: z.string().optional(),
  VITE_HERO_IMAGE_URL: optional('the https address of a picture', url),
  VITE_SITE_URL: optional(
    'the https address under which the site is published, without a path',
    // The site must be served from the root of its address.
    url.refine((value) => URL.parse(value)?.href === `${URL.parse(value)?.origin}/`),
  ),
  VITE_DATA_PLACE: optional(ONE_LINE, words),
  VITE_RETIRE_WORKER: optional('1, or not set', z.literal('1')),
  VITE_COMPANY_NAME: optional(ONE_LINE, words),
  VITE_COMPANY_LEGAL_NAME: optional(ONE_LINE, words),
  VITE_COMPANY_PHONE: optional(PHONE, phone),
  VITE_COMPANY_WHATSAPP: optional(PHONE, phone),
  VITE_COMPANY_EMAIL: optional('an e-mail address', z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)),
  VITE_COMPANY_ADDRESS: optional(ONE_LINE, words),
  VITE_TESTIMONIALS: optional(
    'a list in JSON, each with its quote, quoteEn, author, role and rating (1 to 5), or [] for none',
    z.preprocess(
      jsonIn,
      z.array(z.object({ quote: text, quoteEn: text, author: text, role: text, rating: z.int().min(1).max(5) })),
    ),
  ),
});

export const settingNames: readonly string[] = Object.keys(variables.shape);

const TOGETHER = [
  ['VITE_SUPABASE_URL', 'VITE_SUPABASE_PUBLISHABLE_KEY'],
  ['VITE_VAPI_PUBLIC_KEY', 'VITE_VAPI_ASSISTANT_ID'],
  ['VITE_TILE_URL', 'VITE_TILE_ATTRIBUTION'],
] as const;

/** Settings required for a published build, because it must not show the sample company. */
const NEEDED_TO_PUBLISH = [
  'VITE_COMPANY_LEGAL_NAME',
  'VITE_COMPANY_ADDRESS',
  'VITE_COMPANY_PHONE',
  'VITE_COMPANY_WHATSAPP',
  'VITE_COMPANY_EMAIL',
  'VITE_TESTIMONIALS',
];

export type BuildEnvironment = Readonly<Record<string, string>>;

/**
 * Reads the settings from the environment, including .env. No other file is read, because the build would not notice a
 * change in it.
 */
export function readEnvironment(): BuildEnvironment {
  const publishable = readRenamed('VITE_SUPABASE_PUBLISHABLE_KEY', process.env);
  const source: NodeJS.ProcessEnv = { ...process.env, VITE_SUPABASE_PUBLISHABLE_KEY: publishable };
  return Object.fromEntries(settingNames.flatMap((name) => (source[name] ? [[name, source[name]]] : [])));
}

/** Defines each setting as a constant, so that unconfigured features are dropped from the bundle. */
export function constants(environment: BuildEnvironment): Record<string, string> {
  const facts = { ...environment, ...noticeConstants(environment) };
  return Object.fromEntries(
    [...settingNames, 'NOTICE_VERSION', 'NOTICE_FACTS'].map((name) => [
      `import.meta.env.${name}`,
      JSON.stringify(facts[name] ?? ''),
    ]),
  );
}

/**
 * Returns the facts and the version of the privacy notice. Facts about the server are included only in a build for
 * hosted Supabase: our own server adds them when it serves the notice (server/privacy-notice.ts).
 */
function noticeConstants(environment: BuildEnvironment): BuildEnvironment {
  const isHosted = Boolean(environment['VITE_SUPABASE_URL']);
  const handling = handlingOf({ ...(isHosted && serverFacts()), ...builtSettings(environment) });
  return { NOTICE_FACTS: JSON.stringify(handling), NOTICE_VERSION: noticeVersion(environment, handling) };
}

/**
 * Returns the settings that a build depends on. If our own server serves the privacy notice, VITE_DATA_PLACE is left
 * out, because the server fills in where the data are stored.
 */
export function builtSettings(environment: BuildEnvironment): BuildEnvironment {
  const { VITE_DATA_PLACE: _, ...rest } = environment;
  return environment['VITE_SUPABASE_URL'] ? environment : rest;
}

const serverFacts = () => {
  const { ALERT_MAIL, MAIL_FROM, WHATSAPP_TOKEN, RETENTION_MONTHS } = process.env;
  return { ALERT_MAIL, MAIL_FROM, WHATSAPP_TOKEN, RETENTION_MONTHS };
};

/** Throws an error with a sentence for each wrong setting. */
export function checkEnvironment(environment: BuildEnvironment): void {
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
  // Plain http is allowed for servers on the same machine.
  return URL.canParse(value) && /^(https:|http:\/\/([\w-]+\.)?(localhost|127\.0\.0\.1)([:/]|$))/.test(value);
}

function jsonIn(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}
