/** Phones and events that remain of a plan. */
export interface Part {
  readonly phones: readonly number[];
  readonly events: readonly number[];
}

/** Returns the failure without ids, numbers and times, so that failures of the same kind are equal. */
export function signOf(failures: readonly string[]): string {
  return (failures[0] ?? '').replaceAll(/[\da-f]{8}-[-\da-f]+|AP-\w{4}-\w{4}|[\d.]+/g, '…');
}

/** Removes phones, then events, while the plan still fails: first halves, then quarters, at last single events. */
export async function shrink(whole: Part, fails: (part: Part) => Promise<boolean>, mostTries = 200): Promise<Part> {
  const now = { part: whole, triesLeft: mostTries };
  const attempt = async (smaller: Part): Promise<boolean> => {
    now.triesLeft -= 1;
    if (now.triesLeft < 0 || !(await fails(smaller))) return false;
    now.part = smaller;
    return true;
  };
  for (const phone of whole.phones)
    await attempt({ ...now.part, phones: now.part.phones.filter((other) => other !== phone) });
  for (let size = Math.ceil(now.part.events.length / 2); now.triesLeft > 0; size = Math.ceil(size / 2)) {
    for (let from = 0; from < now.part.events.length && now.triesLeft > 0;)
      if (!(await attempt({ ...now.part, events: now.part.events.toSpliced(from, size) }))) from += size;
    if (size === 1) break;
  }
  return now.part;
}
