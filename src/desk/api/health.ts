/** Last backup, from /healthz of the server that serves the site; a static host has none. */
export interface Backup {
  readonly at: string | null;
  readonly ok: boolean;
}

/** Null if the server makes no backups, or if a static host serves the site. */
export async function readBackup(): Promise<Backup | null> {
  const response = await fetch('/healthz');
  const { backup } = (await response.json()) as { backup?: Backup };
  return typeof backup?.ok === 'boolean' ? backup : null;
}
