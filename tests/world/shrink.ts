/** What is left of a plan. */
export interface Part {
  readonly phones: readonly number[];
  readonly events: readonly number[];
}

/** Of what kind a failure is: without the ids, numbers and moments in it. */
export function signOf(failures: readonly string[]): string {
  return (failures[0] ?? '').replaceAll(/[\da-f]{8}-[-\da-f]+|AP-\w{4}-\w{4}|[\d.]+/g, '…');
}

/** Fewer phones first, then fewer events, as long as it still fails: halves, quarters and so on, down to single ones. */
export async function shrink(whole: Part, fails: (part: Part) => Promise<boolean>, mostTries = 200): Promise<Part> {
  let part = whole;
  let tries = 0;
  const attempt = async (smaller: Part): Promise<boolean> => {
    tries += 1;
    if (tries > mostTries || !(await fails(smaller))) return false;
    part = smaller;
    return true;
  };
  for (const phone of whole.phones) await attempt({ ...part, phones: part.phones.filter((other) => other !== phone) });
  for (let size = Math.ceil(part.events.length / 2); tries < mostTries; size = Math.ceil(size / 2)) {
    for (let from = 0; from < part.events.length && tries < mostTries;)
      if (!(await attempt({ ...part, events: part.events.toSpliced(from, size) }))) from += size;
    if (size === 1) break;
  }
  return part;
}
