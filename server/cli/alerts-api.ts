import { fetchWithKey } from '../../src/lead/api-key.ts';
import type { Settings } from '../settings.ts';
import { hostedAccess, insideAccess, runningAccess, type Access } from './access.ts';
import { requireRunning } from './running-server.ts';
import { OperatorError } from '../language.ts';

/** Sender of alerts: the running server or, on a hosted project, the Edge Function `alert`. */
export interface Sender {
  /** Time when the sender last looked for due alerts; null before the first look. */
  readonly ran_at: string | null;
  /**
   * `called_at`: time when the database of a hosted project last called the Edge Function. `answered`: answer to the
   * call before that one.
   */
  readonly called_at: string | null;
  readonly answered: string | null;
}

export interface Device {
  readonly id: string;
  readonly endpoint: string;
  readonly staff: string;
}

/** Message of a test alert. Before the sender has made a message, only `spread_at` may have a value. */
export interface TestMessage {
  readonly spread_at: string | null;
  readonly message_id: string | null;
  readonly device_id: string | null;
  readonly way: 'push' | 'mail' | null;
  readonly next_at: string | null;
  readonly sent_at: string | null;
  readonly shown_at: string | null;
  readonly result: string | null;
}

export interface AlertsApi {
  readonly isHosted: boolean;
  sender(): Promise<Sender>;
  devices(): Promise<readonly Device[]>;
  /** Resolves with the webhooks that were set aside, because they did not arrive within a day. */
  asideWebhooks(): Promise<readonly object[]>;
  /** Resolves with the webhooks of WhatsApp that failed ten times. */
  stuckHooks(): Promise<readonly object[]>;
  /** Resolves with the colleagues' e-mails by account id. */
  colleagues(): Promise<ReadonlyMap<string, string>>;
  addTest(staff: string | null): Promise<string>;
  testMessages(test: string): Promise<readonly TestMessage[]>;
  removeTest(test: string): Promise<void>;
  close(): Promise<void>;
}

const PAGE = 200;

export async function openAlerts(settings: Settings, secretKey: string | undefined): Promise<AlertsApi> {
  if (settings.hosted) {
    const noKey = {
      es: 'Los avisos los envía Supabase alojado: ponga SUPABASE_SECRET_KEY para leer sus equipos.',
      en: 'Hosted Supabase sends the alerts: set SUPABASE_SECRET_KEY to read its devices.',
    };
    return alertsOf(hostedAccess(settings.hosted, secretKey, noKey));
  }
  if (settings.database) return alertsOf(await insideAccess(settings));
  const running = runningAccess(settings);
  try {
    await running.reach();
    requireRunning(settings.dataDir);
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      {
        es: `${message} Arránquelo antes (systemctl start aeropuente): el servidor en marcha envía los avisos.`,
        en: `${message} Start AeroPuente first (systemctl start aeropuente): the running server sends the alerts.`,
      },
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
      throw new OperatorError({
        es: 'El proyecto es de una versión anterior, sin prueba de avisos. Actualícelo: npm run hosted -- setup',
        en: 'The project is of an earlier release, without a test of alerts. Update it: npm run hosted -- setup',
      });
    if (!response.ok)
      throw new OperatorError({
        es: `No se pudieron leer los avisos (${response.status}).`,
        en: `The alerts could not be read (${response.status}).`,
      });
    return response.status === 204 ? undefined : await response.json();
  };
  const rows = async <Row>(path: string) => (await ask(`/rest/v1/${path}`)) as Row[];
  return {
    isHosted,
    sender: async () => (await rows<Sender>('alert_sender?select=ran_at,called_at,answered'))[0]!,
    devices: () => rows<Device>('push_devices?select=id,endpoint,staff&quote_id=is.null'),
    asideWebhooks: () => rows<object>('webhook_deliveries?select=id&state=eq.aside'),
    stuckHooks: () => rows<object>('whatsapp_hooks?select=id&attempts=gte.10'),
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
        `alert_test_messages?select=spread_at,message_id,device_id,way,next_at,sent_at,shown_at,result&test_id=eq.${test}`,
      ),
    removeTest: async (test) => void (await ask(`/rest/v1/alert_tests?id=eq.${test}`, { method: 'DELETE' })),
    close,
  };
}
