import type { Answer } from '../lead/answer.ts';

/**
 * Returns the answer to store; undefined if the phone already has this answer with the same state, reason and
 * milestones.
 */
export function newerAnswer(answer: Answer, known: readonly Answer[]): Answer | undefined {
  const earlier = known.find(({ id }) => id === answer.id);
  if (!earlier) return answer;
  const { state } = answer;
  const hasMoved = JSON.stringify(answer.track) !== JSON.stringify(earlier.track);
  // The reason (`word`) for the withdrawal of an offer may arrive after the withdrawal, so a changed reason alone
  // counts as a change too.
  if (state === earlier.state && answer.word === earlier.word && !hasMoved) return undefined;
  const mustAnnounce = hasMoved || state === 'retirada' || state === 'reservada' || state === 'sinespacio';
  return { ...answer, announced: earlier.announced && !mustAnnounce };
}

export function mergeById<Member extends { readonly id: string }>(
  one: readonly Member[],
  other: readonly Member[],
  choose: (one: Member, other: Member) => Member,
): readonly Member[] {
  const merged = one.map((member) => {
    const same = other.find(({ id }) => id === member.id);
    return same ? choose(member, same) : member;
  });
  return [...merged, ...other.filter(({ id }) => !one.some((member) => member.id === id))];
}
