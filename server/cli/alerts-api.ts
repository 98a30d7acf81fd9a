import { fetchWithKey } from '../../src/lead/api-key.ts';
import type { Settings } from '../settings.ts';
import { hostedAccess, insideAccess, runningAccess, type Access } from './access.ts';
import { localize } from '../language.ts';
import { requireRunning } from './running-server.ts';

/** What sends alerts, and when it last asked for what is due. */
export interface Sender {
  readonly ran_at: string | null;
  /** Of a hosted project: when its database last called the function, and what the call before was answered with. */
  readonly called_at: string | null;
  readonly answered: string | null;
}

/** One on which a colleague turned alerts on. */
export interface Device {
  readonly id: string;
  readonly endpoint: string;
  readonly staff: string;
}

/** Nothing but `spread_at` before there is any message. */
interface TestMessage {
  readonly spread_at: string | null;
  readonly message_id: string | null;
  readonly device_id: string | null;
  readonly way: 'push' | 'mail' | null;
  readonly next_at: string | null;
  readonly sent_at: string | null;
  readonly shown_at: string | null;
  readonly said: string | null;
}

/** The alerts of a hosted project, or of the running server, with the key that reads everything. */
export interface AlertsApi {
  readonly isHosted: boolean;
  sender(): Promise<Sender>;
  devices(): Promise<readonly Device[]>;
  /** E-mails by the ids of accounts. */
  colleagues(): Promise<ReadonlyMap<string, string>>;
  addTest(staff: string | null): Promise<string>;
  testMessages(test: string): Promise<readonly TestMessage[]>;
  removeTest(test: string): Promise<void>;
  close(): Promise<void>;
}

const PAGE = 200;

export async function openAlerts(settings: Settings, secretKey: string | undefined): Promise<AlertsApi> {
  if (settings.hosted) {
    const noKey = 'Alerts are sent by hosted Supabase: set SUPABASE_SECRET_KEY to read its devices.';
    return alertsOf(hostedAccess(settings.hosted, secretKey, noKey));
  }
  if (settings.database) return alertsOf(await insideAccess(settings));
  const running = runningAccess(settings);
  try {
    await running.reach();
    requireRunning(settings.dataDir);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      localize({
        es: `${message} Arránquelo antes (systemctl start aeropuente): los avisos los envía el servidor en marcha.`,
        en: `${message} Start AeroPuente first: it is the running server that sends alerts.`,
      }),
      { cause: error },
    );
  }
  return alertsOf(running);
}

function alertsOf({ place, reach, close }: Access): AlertsApi {
  const isHosted = place === 'hosted';
  const ask = async (path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) => {
    const { address, key, fetch: fetchWith } = await reach();
    const response = await fetchWithKey(key, fetchWith)(new URL(path, address), {
      method,
      headers: {
        apikey: key,
        authorization: `Bearer ${key}`,
        ...(body ? { 'content-type': 'application/json', prefer: 'return=representation' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (response.status === 404 && isHosted)
      throw new Error('The project has no test of alerts yet: bring it up to date with npm run hosted -- setup.');
    if (!response.ok) throw new Error(`The alerts could not be read (${response.status}).`);
    return response.status === 204 ? undefined : await response.json();
  };
  const rows = async <Row>(path: string) => (await ask(`/rest/v1/${path}`)) as Row[];
  return {
    isHosted,
    sender: async () => (await rows<Sender>('alert_sender?select=ran_at,called_at,answered'))[0]!,
    devices: () => rows<Device>('push_devices?select=id,endpoint,staff&quote_id=is.null'),
    async colleagues() {
      const { users } = (await ask(`/auth/v1/admin/users?page=1&per_page=${PAGE}`)) as {
        users: { id: string; email?: string }[];
      };
      return new Map(users.map(({ id, email = '' }) => [id, email]));
    },
    async addTest(staff) {
      const [test] = (await ask('/rest/v1/alert_tests', { method: 'POST', body: { staff } })) as { id: string }[];
      return test!.id;
    },
    testMessages: (test) =>
      rows<TestMessage>(
        `alert_test_messages?select=spread_at,message_id,device_id,way,next_at,sent_at,shown_at,said&test_id=eq.${test}`,
      ),
    removeTest: async (test) => void (await ask(`/rest/v1/alert_tests?id=eq.${test}`, { method: 'DELETE' })),
    close,
  };
}
