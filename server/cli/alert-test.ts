import { setTimeout as wait } from 'node:timers/promises';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import type { AlertsApi, Device, Sender, TestMessage } from './alerts-api.ts';

/** Devices of one colleague, or, if `staff` is null, of everybody who is alerted about a new lead. */
export interface Recipients {
  readonly staff: string | null;
  readonly devices: readonly Device[];
}

interface Dependencies {
  readonly api: AlertsApi;
  readonly say: (line: Bilingual) => void;
  readonly stepSeconds: number;
}

/**
 * Step at which the test ended. `called`: the sender did not run. `spread`: the sender made no messages. `nobody`:
 * there was no device to alert. `taken`: a push service or mail server did not accept a message. `done`: all messages
 * were accepted.
 */
export type TestEnd = 'called' | 'spread' | 'nobody' | 'taken' | 'done';

const LOOK_EVERY = 500;
/** Milliseconds in which a device that is switched on reports the alert as shown. */
const UNTIL_SHOWN = 5000;

/** Sends an alert like that of a new lead, reports each step, and deletes the test. */
export async function testAlerts({ staff, devices }: Recipients, dependencies: Dependencies): Promise<TestEnd> {
  const { api, say, stepSeconds } = dependencies;
  const previous = await api.sender();
  const test = await api.addTest(staff);
  try {
    say({ es: '1. Se guardó una prueba, con su aviso.', en: '1. A test was stored, with its alert.' });
    const messages = await waitForMessages(test, previous, dependencies);
    if (typeof messages === 'string') return messages;
    say({ es: `3. Mensajes del aviso: ${messages.length}.`, en: `3. Messages of the alert: ${messages.length}.` });
    if (messages.length === 0) return 'nobody';

    const ends = await waitForEnds(test, api, stepSeconds);
    const hosts = hostsOf(messages, devices);
    for (const end of ends) say(lineAbout(end, hosts.get(end.message_id)));
    const taken = ends.filter(({ sent_at }) => sent_at !== null).length;
    if (taken < ends.length) {
      say({ es: `   Se recibieron ${taken} de ${ends.length}.`, en: `   ${taken} of ${ends.length} were accepted.` });
      return 'taken';
    }
    const shown = await waitFor(async () => {
      const count = (await api.testMessages(test)).filter(({ shown_at }) => shown_at !== null).length;
      return count > 0 ? count : undefined;
    }, UNTIL_SHOWN);
    const [es, en] = shown
      ? [`en pantalla en ${shown}`, `shown by ${shown}`]
      : [
          'ningún equipo lo ha mostrado aún: puede estar apagado o dormido',
          'no device has shown it yet: it may be off or asleep',
        ];
    say({
      es: `5. Se recibieron ${taken} de ${ends.length}; ${es}.`,
      en: `5. ${taken} of ${ends.length} were accepted; ${en}.`,
    });
    return 'done';
  } finally {
    await api.removeTest(test);
  }
}

/**
 * Waits until the sender has found the alert and made its messages. Resolves with the messages, or the step that
 * failed.
 */
async function waitForMessages(
  test: string,
  previous: Sender,
  { api, say, stepSeconds }: Dependencies,
): Promise<readonly TestMessage[] | 'called' | 'spread'> {
  const isCalled = await waitFor(async () => {
    const sender = await api.sender();
    return sender.ran_at !== previous.ran_at || (await spreadOf(api, test)) ? true : undefined;
  }, stepSeconds * 1000);
  if (!isCalled) {
    const reason = missingCallReason(await api.sender(), api);
    say({
      es: `2. NADIE REVISÓ los avisos en ${stepSeconds} s. ${mainWords(reason)}`,
      en: `2. NOT CALLED: nothing looked for alerts within ${stepSeconds} s. ${englishWords(reason)}`,
    });
    return 'called';
  }
  say(
    api.isHosted
      ? { es: '2. La función revisó los avisos.', en: '2. The function looked for alerts.' }
      : { es: '2. El servidor revisó los avisos.', en: '2. The server looked for alerts.' },
  );
  const spread = await waitFor(() => spreadOf(api, test), stepSeconds * 1000);
  if (spread) return spread.filter(({ message_id }) => message_id !== null);
  say({
    es: `3. OMITIDA: la función es de una versión anterior, que no conoce las pruebas. ${mainWords(DEPLOY)}`,
    en: `3. IGNORED: the function is of an earlier release, which does not send tests. ${englishWords(DEPLOY)}`,
  });
  return 'spread';
}

async function waitForEnds(test: string, api: AlertsApi, stepSeconds: number): Promise<readonly TestMessage[]> {
  const settled = await waitFor(async () => {
    const messages = await api.testMessages(test);
    return messages.every(({ result }) => result !== null) ? messages : undefined;
  }, stepSeconds * 1000);
  return settled ?? (await api.testMessages(test));
}

function hostsOf(messages: readonly TestMessage[], devices: readonly Device[]): Map<string | null, string> {
  const hosts = new Map(devices.map(({ id, endpoint }) => [id, new URL(endpoint).host]));
  return new Map(messages.map(({ message_id, device_id }) => [message_id, hosts.get(device_id ?? '') ?? 'push']));
}

function lineAbout({ way, sent_at, next_at, result }: TestMessage, host = 'push'): Bilingual {
  const [es, en] = sent_at
    ? ['recibido', 'accepted']
    : next_at
      ? [
          'NO recibido ahora; un aviso de verdad se enviaría otra vez',
          'NOT accepted now; a real alert would be sent again',
        ]
      : ['NO recibido', 'NOT accepted'];
  const isGone = ['404', '410'].includes(result ?? '');
  const to = `4. ${way === 'mail' ? 'mail' : host}:`;
  const code = result ? ` (${result})` : '';
  return {
    es: `${to} ${es}${code}${isGone ? ': el equipo ya no existe, y se quitó' : ''}.`,
    en: `${to} ${en}${code}${isGone ? ': the device is gone, and was removed' : ''}.`,
  };
}

const DEPLOY = {
  es: 'Instale la de esta versión: npm run hosted -- setup',
  en: 'Deploy the one of this release: npm run hosted -- setup',
};

/**
 * Explains why the sender did not look for due alerts. On a hosted project the Edge Function `alert` is the sender, and
 * the database records its calls of the function.
 */
export function missingCallReason(
  { called_at, answered }: Sender,
  { isHosted }: Pick<AlertsApi, 'isHosted'>,
): Bilingual {
  if (!isHosted)
    return {
      es: 'Reinicie AeroPuente (systemctl restart aeropuente) y lea su registro: aeropuente logs.',
      en: 'Restart AeroPuente (systemctl restart aeropuente) and read its log: aeropuente logs.',
    };
  if (!called_at)
    return {
      es: 'La base de datos del proyecto aún no llama a la función, o lo hace como en una versión anterior: npm run hosted -- setup',
      en: 'The database of the project does not call the function yet, or in the way of an earlier release: npm run hosted -- setup',
    };
  if (answered === '401')
    return {
      es: 'La función rechazó la llamada de la base de datos (401): sus llaves son distintas. Para darles la misma: npm run hosted -- setup',
      en: 'The function refused the call of the database (401): their keys differ. To give both the same: npm run hosted -- setup',
    };
  if (answered === '404')
    return {
      es: `La base de datos llama a una dirección donde no hay función (404). ${mainWords(DEPLOY)}`,
      en: `The database calls an address without a function (404). ${englishWords(DEPLOY)}`,
    };
  return {
    es: `La base de datos llamó a la función por última vez ${called_at}; respuesta: ${answered ?? 'aún ninguna'}. El registro está en el panel: Edge Functions, alert.`,
    en: `The database last called the function ${called_at}; answer: ${answered ?? 'none yet'}. The log is in the dashboard: Edge Functions, alert.`,
  };
}

async function spreadOf(api: AlertsApi, test: string) {
  const messages = await api.testMessages(test);
  return messages.some(({ spread_at }) => spread_at !== null) ? messages : undefined;
}

async function waitFor<Found>(look: () => Promise<Found | undefined>, stepSeconds: number): Promise<Found | undefined> {
  const end = performance.now() + stepSeconds;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > end) return found;
    await wait(LOOK_EVERY);
  }
}
