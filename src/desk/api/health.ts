/** Last backup, as /healthz of our own server reports it. */
export interface Backup {
  readonly at: string | null;
  readonly ok: boolean;
}

/** Reads the last backup; null if the server makes no backups, or if a static host serves the site. */
export async function readBackup(): Promise<Backup | null> {
  const response = await fetch('/healthz');
  const { backup } = (await response.json()) as { backup?: Backup };
  return typeof backup?.ok === 'boolean' ? backup : null;
}
