import { FLAG, parseOptions, TEXT, UsageError } from './command.ts';

const ACTIONS = ['add', 'list', 'password', 'remove', 'grant', 'supervisor', 'agent', 'factor'] as const;
type Action = (typeof ACTIONS)[number];

const MOST_NAME = 100;
const MOST_EMAIL = 100;

export interface StaffRequest {
  readonly action: Action;
  readonly email: string;
  readonly name: string;
  readonly isSupervisor: boolean;
}

/** Reads the action and the account. Returns undefined for --help. */
export function readStaffRequest(args: string[]): StaffRequest | undefined {
  const options = { name: TEXT, supervisor: FLAG, help: FLAG } as const;
  const { values, positionals } = parseOptions({ args, allowPositionals: true, options });
  if (values.help) return undefined;
  const [word, ...others] = positionals;
  const action = ACTIONS.find((each) => each === word);
  if (action === 'factor' && others.shift() !== 'remove')
    throw new UsageError({
      es: 'Un segundo paso sólo se quita: aeropuente staff factor remove ana@ejemplo.mx.',
      en: 'A second step can only be removed: aeropuente staff factor remove ana@ejemplo.mx.',
    });
  const [typed = '', ...more] = others;
  if (!action) {
    const actions = ACTIONS.join(', ');
    throw new UsageError(
      word === undefined
        ? {
            es: `Indique una acción: ${actions}. --help dice más.`,
            en: `Name an action: ${actions}. --help says more.`,
          }
        : {
            es: `"${word}" no es una acción. Hay: ${actions}. --help dice más.`,
            en: `"${word}" is not an action. There are: ${actions}. --help says more.`,
          },
    );
  }
  const stray = action === 'list' ? typed : more[0];
  if (stray)
    throw new UsageError({
      es: `Sobra "${stray}". Un nombre va entre comillas: --name "Ana Ruiz".`,
      en: `"${stray}" is one word too many. A name goes in quotes: --name "Ana Ruiz".`,
    });
  for (const option of ['name', 'supervisor'] as const)
    if (values[option] && action !== 'add')
      throw new UsageError({
        es: `--${option} es sólo de "add".`,
        en: `--${option} goes only with "add".`,
      });
  const email = action === 'list' ? '' : readEmail(typed);
  const isSupervisor = values.supervisor;
  return { action, email, isSupervisor, name: action === 'add' ? readName(values.name ?? email.split('@')[0]!) : '' };
}

function readEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/.test(email) && email.length <= MOST_EMAIL) return email;
  throw new UsageError(
    typed
      ? { es: `"${typed}" no es un correo.`, en: `"${typed}" is not an e-mail address.` }
      : {
          es: 'Indique un correo, como ana@ejemplo.mx.',
          en: 'Name an e-mail address, such as ana@ejemplo.mx.',
        },
  );
}

function readName(typed: string): string {
  const name = typed.trim();
  if (name && name.length <= MOST_NAME && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError({
    es: `Un nombre tiene de 1 a ${MOST_NAME} letras, en una línea.`,
    en: `A name has 1 to ${MOST_NAME} characters, on one line.`,
  });
}
