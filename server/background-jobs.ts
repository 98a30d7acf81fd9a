import { startAlerts, type Alerts } from './alerts/embedded.ts';
import { startMailReader, type MailReader } from './channels/mail-reader.ts';
import { dumpState, scheduleBackups, type BackupSettings, type BackupState } from './database/backups.ts';
import type { Meter } from './metrics.ts';
import type { QuoteStore } from './quote-store.ts';
import { scheduleRetention } from './retention.ts';
import type { Settings } from './settings.ts';
import { startWebhooks, type Webhooks } from './webhooks/sender.ts';

type JobSettings = Partial<Pick<Settings, 'siteUrl' | 'alerts' | 'retentionMonths' | 'webhookHosts'>> & {
  readonly backups?: BackupSettings | undefined;
};

/** Waits until all work has ended, then throws the first error. */
export async function waitForAll(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  const started = work.filter((each) => each !== undefined);
  await Promise.allSettled(started);
  await Promise.all(started);
}

/** Jobs of a running server: alerts, webhooks, replies by mail, backups and retention. */
export function createBackgroundJobs(settings: JobSettings, store: QuoteStore, meter: Meter) {
  const { database, backup, erasing } = store;
  let backups: ReturnType<typeof scheduleBackups> | undefined;
  let alerts: Alerts | undefined;
  let webhooks: Webhooks | undefined;
  let replies: MailReader | undefined;
  let retention: ReturnType<typeof scheduleRetention> | undefined;
  return {
    backupState: (): BackupState | undefined => backups?.state() ?? (backup ? undefined : dumpState(settings.backups)),
    /** Starts the jobs that the settings turn on. Links in alerts begin with `address` if VITE_SITE_URL is not set. */
    start(address: string): void {
      const { retentionMonths: months = 0 } = settings;
      if (settings.backups && backup) backups ??= scheduleBackups({ ...settings.backups, make: backup });
      if (months > 0) retention ??= scheduleRetention({ database, months, erasing });
      if (settings.alerts)
        alerts ??= startAlerts({
          database,
          settings: settings.alerts,
          site: () => settings.siteUrl ?? address,
          onOutcome: (kind) => meter.alert(kind),
        });
      webhooks ??= startWebhooks({ database, hosts: settings.webhookHosts ?? [] });
      if (settings.alerts?.inbox) replies ??= startMailReader({ database, inbox: settings.alerts.inbox });
    },
    async stop(): Promise<void> {
      await waitForAll([alerts?.stop(), webhooks?.stop(), replies?.stop(), backups?.stop(), retention?.stop()]);
    },
  };
}
