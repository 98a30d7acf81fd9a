import { drawsFrom } from '../chance.ts';

export interface Chance extends ReturnType<typeof drawsFrom> {
  /** Makes a new id, and adds it to the ids that both servers know. */
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
