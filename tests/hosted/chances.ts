import { drawsFrom } from '../chance.ts';

export interface Chance extends ReturnType<typeof drawsFrom> {
  /** A new id, added to the minted ones. */
  readonly mint: () => string;
}

export function chancesFrom(seed: number, minted: Set<string>): Chance {
  const draws = drawsFrom(seed);
  return {
    ...draws,
    mint() {
      const id = draws.id();
      minted.add(id);
      return id;
    },
  };
}
