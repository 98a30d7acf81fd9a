import { setTimeout as wait } from 'node:timers/promises';
import { localize } from '../language.ts';
import type { AlertsApi, Device, Sender } from './alerts-api.ts';

/** Who is told: the devices of one colleague, or (null) all that a new lead is told to. */
export interface Addressed {
  readonly staff: string | null;
  readonly devices: readonly Device[];
}

interface Means {
  readonly api: AlertsApi;
  readonly say: (line: string) => void;
  /** Seconds until the sender has to have heard of it, and until what it sent has to have ended. */
  readonly patience: number;
}

/** How far it came. `nobody`: the road stands, and at its end there was no device. */
export type Ended = 'called' | 'spread' | 'nobody' | 'taken' | 'done';

const LOOK_EVERY = 500;
/** A device says so by itself, where it is awake. */
const UNTIL_SHOWN = 5000;

/** Sends one alert the way that a lead's goes, says what happened at each step, and leaves nothing of it. */
export async function testAlerts({ staff, devices }: Addressed, { api, say, patience }: Means): Promise<Ended> {
  const before = await api.sender();
  const test = await api.addTest(staff);
  try {
    say(localize({ es: '1. Se guardó una prueba, con su aviso.', en: '1. A test is stored, and its alert with it.' }));
    const until = <Found>(look: () => Promise<Found | undefined>) => waitFor(look, patience * 1000);

    const called = await until(async () => {
      const sender = await api.sender();
      return sender.ran_at !== before.ran_at || (await spreadOf(api, test)) ? true : undefined;
    });
    if (!called) {
      const why = missingCallReason(await api.sender(), api);
      say(
        localize({
          es: `2. NADIE PREGUNTÓ por ella en ${patience} s. ${why}`,
          en: `2. NOT CALLED: nothing asked for it within ${patience} s. ${why}`,
        }),
      );
      return 'called';
    }
    say(
      localize({
        es: `2. ${api.isHosted ? 'La función' : 'El servidor'} preguntó qué hay que enviar.`,
        en: `2. ${api.isHosted ? 'The function' : 'The server'} asked for what is due.`,
      }),
    );

    const spread = await until(() => spreadOf(api, test));
    if (!spread) {
      say(`3. PASSED OVER: it asked, but not for tests: it is of an earlier release. ${DEPLOY}`);
      return 'spread';
    }
    const messages = spread.filter(({ message_id }) => message_id !== null);
    say(localize({ es: `3. Son ${messages.length} mensajes.`, en: `3. It became ${messages.length} messages.` }));
    if (messages.length === 0) return 'nobody';

    const hosts = new Map(devices.map(({ id, endpoint }) => [id, new URL(endpoint).host]));
    const settled = await until(async () => {
      const now = await api.testMessages(test);
      return now.every(({ said }) => said !== null) ? now : undefined;
    });
    const ends = settled ?? (await api.testMessages(test));
    const first = new Map(messages.map(({ message_id, device_id }) => [message_id, device_id]));
    for (const { message_id, way, sent_at, next_at, said } of ends) {
      const to = way === 'mail' ? 'mail' : (hosts.get(first.get(message_id) ?? '') ?? 'push');
      const how = localize(
        sent_at
          ? { es: 'recibido', en: 'taken' }
          : next_at
            ? {
                es: 'NO recibido ahora; un aviso de verdad se enviaría otra vez',
                en: 'NOT taken now; a real alert would be tried again',
              }
            : { es: 'NO recibido', en: 'NOT taken' },
      );
      const gone = ['404', '410'].includes(said ?? '')
        ? localize({ es: ': el equipo ya no existe, y se quitó', en: ': the device is gone, and was removed' })
        : '';
      say(`4. ${to}: ${how}${said ? ` (${said})` : ''}${gone}.`);
    }
    const taken = ends.filter(({ sent_at }) => sent_at !== null).length;
    if (taken < ends.length) {
      say(
        localize({
          es: `   Se recibieron ${taken} de ${ends.length}.`,
          en: `   ${taken} of ${ends.length} were taken.`,
        }),
      );
      return 'taken';
    }
    const shown = await waitFor(async () => {
      const count = (await api.testMessages(test)).filter(({ shown_at }) => shown_at !== null).length;
      return count > 0 ? count : undefined;
    }, UNTIL_SHOWN);
    const isOnScreen = localize(
      shown
        ? { es: `en pantalla en ${shown}`, en: `shown by ${shown}` }
        : {
            es: 'ninguno ha dicho que lo muestra: puede estar apagado o dormido',
            en: 'none has said yet that it shows it: it may be off, or asleep',
          },
    );
    say(
      localize({
        es: `5. Se recibieron ${taken} de ${ends.length}; ${isOnScreen}.`,
        en: `5. ${taken} of ${ends.length} were taken; ${isOnScreen}.`,
      }),
    );
    return 'done';
  } finally {
    await api.removeTest(test);
  }
}

const DEPLOY = 'Deploy the one of this release: npm run hosted -- setup';

/** Of a hosted project: what its database knows of the calls. */
export function missingCallReason({ called_at, answered }: Sender, { isHosted }: Pick<AlertsApi, 'isHosted'>): string {
  if (!isHosted)
    return localize({
      es: 'Reinicie AeroPuente (systemctl restart aeropuente) y lea lo que dice: aeropuente logs.',
      en: 'Start AeroPuente again, and read what it prints.',
    });
  if (!called_at)
    return 'The database of the project does not call the function yet, or in the way of an earlier release: npm run hosted -- setup';
  if (answered === '401')
    return 'The database called the function and was refused (401): its key is not that of the function. Both get the same by: npm run hosted -- setup';
  if (answered === '404') return `There is no function at the address that the database calls (404). ${DEPLOY}`;
  return `The database last called the function ${called_at}, and was answered: ${answered ?? 'nothing yet'}. Its log is in the dashboard: Edge Functions, alert.`;
}

async function spreadOf(api: AlertsApi, test: string) {
  const messages = await api.testMessages(test);
  return messages.some(({ spread_at }) => spread_at !== null) ? messages : undefined;
}

async function waitFor<Found>(look: () => Promise<Found | undefined>, patience: number): Promise<Found | undefined> {
  const end = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > end) return found;
    await wait(LOOK_EVERY);
  }
}
