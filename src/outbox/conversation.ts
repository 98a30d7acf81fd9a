import type { Answer } from '../lead/answer.ts';

/** Returns the answer to store, or undefined if the phone already has its state and text. */
export function news(answer: Answer, known: readonly Answer[]): Answer | undefined {
  const earlier = known.find(({ id }) => id === answer.id);
  if (!earlier) return answer;
  const { state } = answer;
  // A withdrawal may arrive first as a state, later with its reason (`word`).
  if (state === earlier.state && answer.word === earlier.word) return undefined;
  const isToBeTold = state === 'retirada' || state === 'reservada' || state === 'sinespacio';
  return { ...answer, told: earlier.told && !isToBeTold };
}

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
