import { isSilent } from '../../src/lead/alert-sender.ts';
import { readCommandSettings } from './access.ts';
import { testAlerts, missingCallReason, type Addressed } from './alert-test.ts';
import { openAlerts, type AlertsApi } from './alerts-api.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, runCommand, TEXT, UsageError } from './command.ts';

const HELP = localize({
  es: `aeropuente alerts <acción> [opciones]

  test      envía un aviso por el camino de una cotización nueva, dice qué pasó en cada paso y en cuál terminó, y no deja
            nada. En las pantallas dice 'Prueba'. --to ana@ejemplo.mx: los equipos de una persona. --all: todos, también
            por correo. --wait 70: segundos para cada paso
  status    cuándo se revisaron los avisos por última vez, y en cuántos equipos están activados

Son los avisos del servidor en marcha o, con VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY, los del proyecto
alojado. Las dos terminan con 1 si los avisos no llegan.
`,
  en: `aeropuente alerts <action> [options]

  test      sends one alert the way that a new lead's goes, says what happened at each step and at which it ended, and
            leaves nothing of it. It says 'Prueba' on the screens of one colleague: --to ana@ejemplo.mx, or whoever has
            turned alerts on alone. --all: all that a new lead is told to, by mail too. --wait 70: seconds for a step
  status    says when alerts were last looked for, and on how many devices they are turned on

The alerts are those of the running server or, with VITE_SUPABASE_URL (or SUPABASE_URL) and SUPABASE_SECRET_KEY,
of the hosted project. Both end with 1 where alerts do not arrive.
`,
});

/** A project calls its function every 30 seconds, and knows a call's answer with the next. */
const PATIENCE = 70;

/** The end of the road if no device and no mailbox is set up. */
const NOBODY = () =>
  localize({
    es: 'No se avisaría a nadie: ningún equipo tiene los avisos activados y no hay correo. En la mesa: ☰, "Avisos"; o ponga SMTP_URL y ALERT_MAIL.',
    en: 'Nobody would be told: no device has alerts turned on, and there is no mailbox. In the desk: ☰, "Avisos"; or set SMTP_URL and ALERT_MAIL.',
  });

async function run(): Promise<void> {
  const { values, positionals } = parse(process.argv.slice(2));
  if (values.help) return void process.stdout.write(HELP);
  const [action, ...more] = positionals;
  if (!['test', 'status'].includes(action ?? '') || more.length > 0) throw new UsageError(HELP);
  const patience = values.wait === undefined ? PATIENCE : Number(values.wait);
  if (!(patience > 0))
    throw new UsageError(
      localize({
        es: '--wait dice cuántos segundos: --wait 70',
        en: '--wait says how many seconds: --wait 70',
      }),
    );
  const [settings, secretKey] = readCommandSettings();
  const api = await openAlerts(settings, secretKey);
  try {
    // Of a project whose function sends it is not known here whether it mails.
    const hasMail = settings.alerts.mail !== undefined;
    if (action === 'status') await tellStatus(api, hasMail || settings.hosted !== undefined);
    else await test(api, values, hasMail, patience);
  } finally {
    await api.close();
  }
}

async function test(
  api: AlertsApi,
  values: ReturnType<typeof parse>['values'],
  hasMail: boolean,
  patience: number,
): Promise<void> {
  const isToAll = values.all || (!values.to && hasMail && (await api.devices()).length === 0);
  const addressed = await choose(api, values.to, isToAll);
  const ended = await testAlerts(addressed, { api, say: console.log, patience });
  if (ended === 'nobody') console.log(`4. ${NOBODY()}`);
  if (ended !== 'done') process.exitCode = 1;
}

const parse = (args: string[]) =>
  parseOptions({
    args,
    allowPositionals: true,
    options: {
      to: TEXT,
      all: FLAG,
      wait: TEXT,
      help: FLAG,
    },
  });

/** Nobody is told of a test who does not know of it, unless that is asked for. */
async function choose(api: AlertsApi, to: string | undefined, isToAll: boolean): Promise<Addressed> {
  const all = await api.devices();
  if (isToAll) return { staff: null, devices: all };
  const emails = await api.colleagues();
  const person = to?.trim().toLowerCase();
  const owners = [...new Set(all.map(({ staff }) => staff))];
  const named = owners.map((id) => emails.get(id) ?? id);
  const staff = person === undefined ? owners[0] : owners[named.indexOf(person)];
  if (person !== undefined && !staff) throw new Error(noDeviceReason(person, [...emails.values()], named));
  if (!staff) throw new Error(NOBODY());
  if (to === undefined && owners.length > 1)
    throw new UsageError(
      localize({
        es: `Diga de quién: --to ${named.join(', o --to ')}; o todos: --all.`,
        en: `Say whose devices: --to ${named.join(', or --to ')}; or all of them: --all.`,
      }),
    );
  return { staff, devices: all.filter((device) => device.staff === staff) };
}

/** A person without a device, and a person whom nobody knows, are two faults. */
function noDeviceReason(person: string, colleagues: readonly string[], withDevice: readonly string[]): string {
  if (!colleagues.includes(person))
    return localize({
      es: `No hay una cuenta ${person}. Cuentas: ${colleagues.join(', ') || 'ninguna'}.`,
      en: `There is no account ${person}. Accounts: ${colleagues.join(', ') || 'none'}.`,
    });
  return localize({
    es: `${person} no tiene los avisos activados en ningún equipo: en la mesa, ☰, "Avisos", "Avisos en este equipo". Los tienen: ${withDevice.join(', ') || 'nadie'}.`,
    en: `${person} has alerts turned on on no device: in the desk, ☰, "Avisos", "Avisos en este equipo". On: ${withDevice.join(', ') || 'nobody'}.`,
  });
}

async function tellStatus(api: AlertsApi, mayMail: boolean): Promise<void> {
  const sender = await api.sender();
  const ranAt = sender.ran_at === null ? undefined : Date.parse(sender.ran_at);
  const ago = (at: number) => {
    const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
    return localize({ es: `hace ${seconds} s`, en: `${seconds} s ago` });
  };
  if (ranAt === undefined)
    console.log(localize({ es: 'Los avisos no se han revisado nunca.', en: 'Alerts were never looked for.' }));
  else
    console.log(
      localize({
        es: `Los avisos se revisaron por última vez ${ago(ranAt)} (${new Date(ranAt).toISOString()}).`,
        en: `Alerts were last looked for ${ago(ranAt)} (${new Date(ranAt).toISOString()}).`,
      }),
    );
  if (sender.called_at)
    console.log(
      `The database last called the function ${ago(Date.parse(sender.called_at))}; the call before was answered: ${sender.answered ?? 'nothing yet'}.`,
    );
  const devices = await api.devices();
  const people = new Set(devices.map(({ staff }) => staff)).size;
  console.log(
    localize({
      es: `Se avisa a ${devices.length} equipos de ${people} personas.`,
      en: `${devices.length} devices of ${people} colleagues are told.`,
    }),
  );
  if (ranAt === undefined || isSilent(ranAt, Date.now()))
    console.log(`${localize({ es: 'NO SE ENVÍA NADA.', en: 'NOTHING IS SENT.' })} ${missingCallReason(sender, api)}`);
  else if (devices.length === 0 && !mayMail) console.log(NOBODY());
  else return;
  process.exitCode = 1;
}

await runCommand(run);
