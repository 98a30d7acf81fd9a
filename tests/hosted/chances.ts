import { chanceFrom } from '../chance.ts';

/** What chance decides, the same for the same seed. */
export interface Chance {
  readonly whole: (below: number) => number;
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
  readonly sometimes: (part: number) => boolean;
  /** A new id, which is not forgotten. */
  readonly mint: () => string;
}

export function chancesFrom(seed: number, minted: Set<string>): Chance {
  const chance = chanceFrom(seed);
  const whole = (below: number) => Math.floor(chance() * below);
  return {
    whole,
    oneOf: (items) => items[whole(items.length)]!,
    sometimes: (part) => chance() < part,
    mint() {
      const hex = Array.from({ length: 32 }, () => whole(16).toString(16)).join('');
      const id = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
      minted.add(id);
      return id;
    },
  };
}
