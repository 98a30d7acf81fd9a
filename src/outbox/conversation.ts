import type { Answer } from '../lead/answer.ts';

/** The answer as it is to be kept, if it says anything that the phone does not know. */
export function news(heard: Answer, known: readonly Answer[]): Answer | undefined {
  const before = known.find(({ id }) => id === heard.id);
  if (!before) return heard;
  const { state } = heard;
  // That it was withdrawn may be known without the word why.
  if (state === before.state && heard.word === before.word) return undefined;
  const isToBeTold = state === 'retirada' || state === 'reservada' || state === 'sinespacio';
  return { ...heard, told: before.told && !isToBeTold };
}

/** Both lists as one, each member once. Where both have it, `choose` decides. */
export function union<Member extends { readonly id: string }>(
  one: readonly Member[],
  other: readonly Member[],
  choose: (one: Member, other: Member) => Member,
): readonly Member[] {
  const merged = one.map((member) => {
    const twin = other.find(({ id }) => id === member.id);
    return twin ? choose(member, twin) : member;
  });
  return [...merged, ...other.filter(({ id }) => !one.some((member) => member.id === id))];
}
