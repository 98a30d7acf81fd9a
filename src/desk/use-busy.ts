import { useState } from 'react';

/** Runs one piece of work at a time. Work started in between is ignored, with an undefined result. */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  async function runOnce<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (busy) return undefined;
    setBusy(true);
    return work().finally(() => setBusy(false));
  }
  return [busy, runOnce] as const;
}
