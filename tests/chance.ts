/** Returns a function that gives pseudo-random numbers from 0 to 1 (Mulberry32), the same for the same seed. */
export function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function idFrom(chance: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(chance() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** Returns functions that make random choices, the same for the same seed. */
export function drawsFrom(seed: number) {
  const chance = chanceFrom(seed);
  const whole = (below: number) => Math.floor(chance() * below);
  return {
    id: () => idFrom(chance),
    whole,
    oneOf: <Item>(items: readonly Item[]): Item => items[whole(items.length)]!,
    sometimes: (part: number) => chance() < part,
  };
}
