import type { Bilingual } from '../content/bilingual.ts';
import { brokenCall, noMicrophone, voiceFailures } from '../content/failures.ts';
import { voice as words } from '../content/voice.ts';
import type { CallState, Failure } from './machine.ts';

/** What stands between a press and the call. */
export type Asked = 'unavailable' | 'offline' | 'consent';

export function titleOf(about: Asked | Failure): Bilingual {
  if (about === 'unavailable') return voiceFailures.unavailable;
  if (typeof about === 'string') return words[about].title;
  if (about.kind === 'broken') return brokenCall(about.message);
  if (about.kind === 'microphone') return noMicrophone(about.message);
  return voiceFailures[about.kind];
}

/** What someone who does not see the page is told. */
export function saying(state: CallState, panel: Asked | Failure | undefined): Bilingual | undefined {
  if (panel) return titleOf(panel);
  if (state.kind !== 'idle') return words.status[state.kind];
  return state.ending?.kind === 'ended' ? words.status.ended : undefined;
}
