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
      const hex = Array.from({ length: 32 }, () => draws.whole(16).toString(16)).join('');
      const id = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
      minted.add(id);
      return id;
    },
  };
}
