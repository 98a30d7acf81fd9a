import { readCommandSettings } from './access.ts';
import { openStaffAccounts, type StaffAccount, type StaffAccounts } from './staff-accounts.ts';
import { readStaffRequest, type StaffRequest } from './staff-request.ts';
import { localize } from '../language.ts';
import { aligned, print, printable, printData, runCommand } from './command.ts';

const HELP = {
  es: `aeropuente staff <acción> [correo] [opciones]

Cuentas del equipo que responde cotizaciones. Al principio no hay ninguna.

  add ana@ejemplo.mx         crea una cuenta y muestra su primera contraseña, una sola vez; --name "Ana Ruiz" es el
                             nombre que ven sus colegas (si no, lo que está antes de la @); --supervisor hace un
                             supervisor, que además reparte cotizaciones, las exporta y las bloquea
  list                       las muestra todas
  password ana@ejemplo.mx    otra primera contraseña; las sesiones abiertas con la anterior se cierran
  remove ana@ejemplo.mx      quita la cuenta y cierra sus sesiones
  grant ana@ejemplo.mx       hace del equipo una cuenta que el proyecto alojado ya tiene
  supervisor ana@ejemplo.mx  la hace supervisor; quien ya entró lo es en una hora
  agent ana@ejemplo.mx       la hace agente otra vez
  factor remove ana@ejemplo.mx  quita su segundo paso y sus códigos, si los perdió; un supervisor crea otro al entrar
  --help                     esta página

Las sesiones se cierran en 15 minutos como máximo; en un proyecto alojado, en una hora.

Están en Supabase alojado si se ponen VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY, en un PostgreSQL propio
con DATABASE_URL, y si no en DATA_DIR, esté AeroPuente en marcha o no.`,
  en: `aeropuente staff <action> [e-mail] [options]

Accounts of the team that answers quotes. There is none at first.

  add ana@ejemplo.mx         makes an account and prints its first password, once; --name "Ana Ruiz" is the
                             name that colleagues see (default: the part before the @); --supervisor makes a
                             supervisor, who also assigns quotes to others, exports and blocks them
  list                       prints all accounts
  password ana@ejemplo.mx    prints a new first password; sessions opened with the old one end
  remove ana@ejemplo.mx      removes the account and ends its sessions
  grant ana@ejemplo.mx       makes an existing account of a hosted project staff
  supervisor ana@ejemplo.mx  makes it a supervisor, within an hour for open sessions
  agent ana@ejemplo.mx       makes it an agent again
  factor remove ana@ejemplo.mx  removes its second step and codes, if lost; a supervisor adds another at sign-in
  --help                     this page

Sessions end within 15 minutes; on a hosted project, within an hour.

They are in hosted Supabase when VITE_SUPABASE_URL (or SUPABASE_URL) and SUPABASE_SECRET_KEY are set, in a
PostgreSQL of your own with DATABASE_URL, otherwise in DATA_DIR (.data), whether AeroPuente is running or not.`,
};

async function run(): Promise<void> {
  const request = readStaffRequest(process.argv.slice(2));
  if (!request) return print(HELP);
  const makesDirectory = request.action === 'add';
  const accounts = await openStaffAccounts(...readCommandSettings(), { makesDirectory });
  try {
    printData(await carryOut(accounts, request));
  } finally {
    await accounts.close();
  }
}

async function carryOut(accounts: StaffAccounts, { action, email, name, isSupervisor }: StaffRequest): Promise<string> {
  switch (action) {
    case 'add':
      return passwordNote(await accounts.add(email, name, isSupervisor)) + (await supervisorHint(accounts));
    case 'password':
      return passwordNote(await accounts.renewPassword(email));
    case 'remove':
      await accounts.remove(email);
      return localize({
        es: `${email} ya no tiene cuenta.`,
        en: `${email} has no account any more.`,
      });
    case 'grant':
      return (await accounts.grant(email))
        ? localize({
            es: `${email} ya es del equipo.`,
            en: `${email} is staff now.`,
          })
        : localize({
            es: `${email} ya era del equipo.`,
            en: `${email} was staff already.`,
          });
    case 'supervisor':
    case 'agent':
      await accounts.setSupervisor(email, action === 'supervisor');
      return localize({
        es: `${email} es ahora ${action === 'agent' ? 'agente' : 'supervisor'}: al volver a entrar, o en una hora.`,
        en: `${email} is ${action === 'agent' ? 'an agent' : 'a supervisor'} now: after the next sign-in, or within an hour.`,
      });
    case 'factor':
      return (await accounts.removeFactors(email))
        ? localize({
            es: `${email} ya no tiene segundo paso; sus sesiones se cerraron.`,
            en: `${email} has no second step any more; its sessions have ended.`,
          })
        : localize({ es: `${email} no tenía segundo paso.`, en: `${email} had no second step.` });
    case 'list':
      return table(await accounts.list());
  }
}

/** Warns about a team without supervisor, because nobody in it can export or block quotes. */
async function supervisorHint(accounts: StaffAccounts): Promise<string> {
  const all = await accounts.list();
  return all.some(({ isSupervisor }) => isSupervisor)
    ? ''
    : localize({
        es: '\nAún no hay supervisor: aeropuente staff supervisor <correo>.',
        en: '\nNobody is a supervisor yet: aeropuente staff supervisor <e-mail>.',
      });
}

/** Shows a first password. The label is always in Spanish, because the colleague may speak no English. */
function passwordNote(password: string): string {
  return `Contraseña: ${password}\n${localize({
    es: 'Se muestra una sola vez; hay que cambiarla al entrar por primera vez.',
    en: 'It is shown only once and has to be changed at the first sign-in.',
  })}`;
}

function table(accounts: readonly StaffAccount[]): string {
  if (accounts.length === 0)
    return localize({
      es: 'Aún no hay cuentas. Cree una: aeropuente staff add ana@ejemplo.mx',
      en: 'There is no account yet. Make one: aeropuente staff add ana@ejemplo.mx',
    });
  const rows = accounts
    .toSorted((one, other) => one.email.localeCompare(other.email))
    .map(({ email, name, isStaff, isSupervisor, hasFactor, createdAt, lastSignInAt }) => [
      email,
      name,
      isSupervisor ? 'supervisor' : isStaff ? 'staff' : '-',
      hasFactor ? localize({ es: 'sí', en: 'yes' }) : '-',
      createdAt.slice(0, 10),
      lastSignInAt?.slice(0, 16).replace('T', ' ') ?? localize({ es: 'nunca', en: 'never' }),
    ]);
  const all = [
    localize({
      es: 'correo|nombre|papel|segundo paso|desde|última entrada',
      en: 'e-mail|name|role|second step|since|last sign-in',
    }).split('|'),
    ...rows,
  ].map((row) => row.map(printable));
  return aligned(all).trimEnd();
}

await runCommand(run);
