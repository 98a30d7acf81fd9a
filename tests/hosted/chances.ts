import { drawsFrom } from '../chance.ts';

export interface Chance extends ReturnType<typeof drawsFrom> {
  /** A new id, which is not forgotten. */
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
