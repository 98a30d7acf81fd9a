interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** The visitor's own switch decides; else what the browser knows of the line. Only Chromium knows. */
export function isSavingData(): boolean {
  const chosen = kept();
  if (chosen) return chosen === 'on';
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}

function kept(): string | null {
  try {
    return localStorage.getItem('aeropuente.data-saver');
  } catch {
    return null;
  }
}
