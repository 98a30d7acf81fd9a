import type { Bilingual } from '../content/bilingual.ts';
import { brokenCall, noMicrophone, voiceFailures } from '../content/failures.ts';
import { voice as words } from '../content/voice.ts';
import type { CallView } from './call.ts';
import type { CallFailure } from './machine.ts';

/** Reason why a press does not start a call. */
export type Obstacle = 'unavailable' | 'offline' | 'consent';

export function titleOf(about: Obstacle | CallFailure): Bilingual {
  if (about === 'unavailable') return voiceFailures.unavailable;
  if (typeof about === 'string') return words[about].title;
  if (about.kind === 'broken') return brokenCall(about.message);
  if (about.kind === 'microphone') return noMicrophone(about.message);
  return voiceFailures[about.kind];
}

/** Returns the sentence that screen readers read when the state of the call changes. */
export function announcementOf(
  { state, interrupted }: CallView,
  panel: Obstacle | CallFailure | undefined,
): Bilingual | undefined {
  if (panel) return titleOf(panel);
  if (state.kind !== 'idle' && interrupted) return words.status.interrupted;
  if (state.kind !== 'idle') return words.status[state.kind];
  return state.ending?.kind === 'ended' ? words.status.ended : undefined;
}
