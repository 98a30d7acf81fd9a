import { isSilent } from '../../src/lead/alert-sender.ts';
import { readCommandSettings } from './access.ts';
import { testAlerts, missingCallReason, type Recipients } from './alert-test.ts';
import { openAlerts, type AlertsApi } from './alerts-api.ts';
import { eachLanguage, englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { FLAG, parseOptions, print, runCommand, TEXT, UsageError } from './command.ts';

const HELP = {
  es: `aeropuente alerts <acción> [opciones]

  test      envía un aviso como el de una cotización nueva, muestra el resultado de cada paso y no deja rastro. En las
            pantallas dice 'Prueba'. --to ana@ejemplo.mx: los equipos de una persona. --all: todos, también
            por correo. --wait 70: segundos para cada paso
  status    cuándo se revisaron los avisos por última vez, y en cuántos equipos están activados

Son los avisos del servidor en marcha o, con VITE_SUPABASE_URL (o SUPABASE_URL) y SUPABASE_SECRET_KEY, los del proyecto
alojado. Las dos terminan con 1 si los avisos no llegan.`,
  en: `aeropuente alerts <action> [options]

  test      sends one alert as for a new lead, shows the result of each step and leaves no trace. The screens say
            'Prueba'. --to ana@ejemplo.mx: the devices of one colleague. --all: all devices, and mail too. --wait 70:
            seconds for each step
  status    shows when the sender last looked for due alerts, and how many devices have alerts on

The alerts are those of the running server or, with VITE_SUPABASE_URL (or SUPABASE_URL) and SUPABASE_SECRET_KEY,
of the hosted project. Both end with 1 if alerts do not arrive.`,
};

/**
 * Seconds to wait for each step of the test. A hosted project calls its Edge Function every 30 seconds, and records the
 * answer at the next call, which takes up to a minute in total.
 */
const STEP_SECONDS = 70;

const NOBODY = {
  es: 'No se avisaría a nadie: ningún equipo tiene los avisos activados y no hay correo. En la mesa: ☰, "Avisos"; o ponga SMTP_URL y ALERT_MAIL.',
  en: 'Nobody would be alerted: no device has alerts turned on, and there is no mailbox. In the desk: ☰, "Avisos"; or set SMTP_URL and ALERT_MAIL.',
};

async function run(): Promise<void> {
  const { values, positionals } = parse(process.argv.slice(2));
  if (values.help) return print(HELP);
  const [action, ...more] = positionals;
  if (!['test', 'status'].includes(action ?? '') || more.length > 0) throw new UsageError(HELP);
  const stepSeconds = values.wait === undefined ? STEP_SECONDS : Number(values.wait);
  if (!(stepSeconds > 0))
    throw new UsageError({
      es: '--wait acepta segundos: --wait 70',
      en: '--wait takes seconds: --wait 70',
    });
  const [settings, secretKey] = readCommandSettings();
  const api = await openAlerts(settings, secretKey);
  try {
    // True if this machine has mail settings. A hosted project may send mail without them, because its function has its
    // own settings.
    const hasMail = settings.alerts.mail !== undefined;
    if (action === 'status') await showStatus(api, hasMail || settings.hosted !== undefined);
    else await test(api, values, hasMail, stepSeconds);
  } finally {
    await api.close();
  }
}

async function test(
  api: AlertsApi,
  values: ReturnType<typeof parse>['values'],
  hasMail: boolean,
  stepSeconds: number,
): Promise<void> {
  const isToAll = values.all || (!values.to && hasMail && (await api.devices()).length === 0);
  const recipients = await chooseRecipients(api, values.to, isToAll);
  const end = await testAlerts(recipients, { api, say: print, stepSeconds });
  if (end === 'nobody') print(eachLanguage(NOBODY, (words) => `4. ${words}`));
  if (end !== 'done') process.exitCode = 1;
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

/** Chooses one colleague's devices, because a test disturbs people; --all chooses everybody's. */
async function chooseRecipients(api: AlertsApi, to: string | undefined, isToAll: boolean): Promise<Recipients> {
  const all = await api.devices();
  if (isToAll) return { staff: null, devices: all };
  const emails = await api.colleagues();
  const person = to?.trim().toLowerCase();
  const owners = [...new Set(all.map(({ staff }) => staff))];
  const named = owners.map((id) => emails.get(id) ?? id);
  const staff = person === undefined ? owners[0] : owners[named.indexOf(person)];
  if (person !== undefined && !staff) throw new OperatorError(noDeviceReason(person, [...emails.values()], named));
  if (!staff) throw new OperatorError(NOBODY);
  if (to === undefined && owners.length > 1)
    throw new UsageError({
      es: `Indique de quién: --to ${named.join(', o --to ')}; o todos: --all.`,
      en: `Choose whose devices: --to ${named.join(', or --to ')}; or all of them: --all.`,
    });
  return { staff, devices: all.filter((device) => device.staff === staff) };
}

function noDeviceReason(person: string, colleagues: readonly string[], withDevice: readonly string[]): Bilingual {
  if (!colleagues.includes(person))
    return {
      es: `No hay una cuenta ${person}. Cuentas: ${colleagues.join(', ') || 'ninguna'}.`,
      en: `There is no account ${person}. Accounts: ${colleagues.join(', ') || 'none'}.`,
    };
  return {
    es: `${person} no tiene los avisos activados en ningún equipo: en la mesa, ☰, "Avisos", "Avisos en este dispositivo". Los tienen: ${withDevice.join(', ') || 'nadie'}.`,
    en: `${person} has not turned alerts on: in the desk, ☰, "Avisos", "Avisos en este dispositivo". On: ${withDevice.join(', ') || 'nobody'}.`,
  };
}

async function showStatus(api: AlertsApi, mayMail: boolean): Promise<void> {
  const sender = await api.sender();
  const ranAt = sender.ran_at === null ? undefined : Date.parse(sender.ran_at);
  if (ranAt === undefined)
    print({ es: 'Los avisos nunca se han revisado.', en: 'The sender has never looked for due alerts.' });
  else
    print({
      es: `Los avisos se revisaron por última vez hace ${secondsSince(ranAt)} s (${new Date(ranAt).toISOString()}).`,
      en: `The sender last looked for due alerts ${secondsSince(ranAt)} s ago (${new Date(ranAt).toISOString()}).`,
    });
  if (sender.called_at) {
    const seconds = secondsSince(Date.parse(sender.called_at));
    print({
      es: `La base de datos llamó a la función por última vez hace ${seconds} s; respuesta a la llamada anterior: ${sender.answered ?? 'aún ninguna'}.`,
      en: `The database last called the function ${seconds} s ago; answer to the call before: ${sender.answered ?? 'none yet'}.`,
    });
  }
  const devices = await api.devices();
  const people = new Set(devices.map(({ staff }) => staff)).size;
  print({
    es: `Se avisa a ${devices.length} equipos de ${people} personas.`,
    en: `${devices.length} devices of ${people} colleagues are alerted.`,
  });
  if (ranAt === undefined || isSilent(ranAt, Date.now())) {
    const reason = missingCallReason(sender, api);
    print({ es: `NO SE ENVÍA NADA. ${mainWords(reason)}`, en: `NOTHING IS SENT. ${englishWords(reason)}` });
  } else if (devices.length === 0 && !mayMail) print(NOBODY);
  else return;
  process.exitCode = 1;
}

const secondsSince = (time: number) => Math.max(0, Math.round((Date.now() - time) / 1000));

await runCommand(run);
