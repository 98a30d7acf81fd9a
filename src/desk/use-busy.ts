import { useState } from 'react';

/** Runs one piece of work at a time. Work that starts while another runs is ignored, and its result is undefined. */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  async function runOnce<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (busy) return undefined;
    setBusy(true);
    return work().finally(() => setBusy(false));
  }
  return [busy, runOnce] as const;
}
