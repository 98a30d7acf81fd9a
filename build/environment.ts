/** The variables that a deployment may set, with what makes a value good. Everything is optional. */
const rules: Record<string, { good: (value: string) => boolean; says: string }> = {
  VITE_SUPABASE_URL: { good: isUrl, says: 'the https address of the project, e.g. https://abcd.supabase.co' },
  VITE_SUPABASE_ANON_KEY: { good: isToken, says: 'the public (anon or publishable) key, without spaces' },
  VITE_VAPI_PUBLIC_KEY: { good: isToken, says: 'the public key of the voice provider, without spaces' },
  VITE_VAPI_ASSISTANT_ID: { good: isToken, says: 'the id of the assistant, without spaces' },
  VITE_VAPI_BASE_URL: { good: isUrl, says: 'the https address of the voice provider' },
  VITE_TILE_URL: {
    good: (value) =>
      isUrl(value.replaceAll(/[{}]/g, '')) && ['{x}', '{y}', '{z}'].every((part) => value.includes(part)),
    says: 'an https address with {z}, {x} and {y} in it',
  },
  VITE_TILE_ATTRIBUTION: { good: () => true, says: '' },
  VITE_HERO_IMAGE_URL: { good: isUrl, says: 'the https address of a picture' },
  VITE_SITE_URL: { good: isOrigin, says: 'the https address under which the site is published, without a path' },
  VITE_RETIRE_WORKER: { good: (value) => value === '1', says: '1, or not set' },
  VITE_COMPANY_NAME: { good: isLine, says: 'one line of at most 120 characters' },
  VITE_COMPANY_LEGAL_NAME: { good: isLine, says: 'one line of at most 120 characters' },
  VITE_COMPANY_PHONE: { good: isPhone, says: 'a phone number with its country code, e.g. +52 664 123 4567' },
  VITE_COMPANY_WHATSAPP: { good: isPhone, says: 'a phone number with its country code, e.g. +52 664 123 4567' },
  VITE_COMPANY_EMAIL: { good: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value), says: 'an e-mail address' },
  VITE_COMPANY_ADDRESS: { good: isLine, says: 'one line of at most 120 characters' },
  VITE_TESTIMONIALS: {
    good: isListOfVoices,
    says: 'a list in JSON, each with its quote, quoteEn, author and role, or [] for none',
  },
};

const TOGETHER = [
  ['VITE_SUPABASE_URL', 'VITE_SUPABASE_ANON_KEY'],
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

/** What is set. An npm script has put .env there; no other file is read, so that a build can be told from another. */
export function readEnvironment(): Environment {
  return Object.fromEntries(
    Object.keys(rules).flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
}

/** Each variable, set or not, as a constant of the build: what is not configured is not shipped. */
export function constants(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.keys(rules).map((name) => [`import.meta.env.${name}`, JSON.stringify(environment[name] ?? '')]),
  );
}

/** Throws with a sentence for each thing that is wrong. */
export function checkEnvironment(environment: Environment): void {
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    const rule = rules[name];
    if (rule && value && !rule.good(value)) wrong.push(`${name} must be ${rule.says}; it is "${value}".`);
  }
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

/** The site stands at the root of its address. */
function isOrigin(value: string): boolean {
  return isUrl(value) && new URL(value).href === `${new URL(value).origin}/`;
}

function isToken(value: string): boolean {
  return /^\S+$/.test(value);
}

function isLine(value: string): boolean {
  return value.trim() !== '' && value.length <= 120 && !/[\r\n]/.test(value);
}

function isPhone(value: string): boolean {
  return /^\+[\d ()-]{7,20}$/.test(value);
}

function isListOfVoices(value: string): boolean {
  try {
    const voices = JSON.parse(value) as unknown;
    return Array.isArray(voices) && voices.every(isVoice);
  } catch {
    return false;
  }
}

function isVoice(voice: Record<string, unknown> | null): boolean {
  return ['quote', 'quoteEn', 'author', 'role'].every((part) => {
    const text = voice?.[part];
    return typeof text === 'string' && text.trim() !== '';
  });
}
