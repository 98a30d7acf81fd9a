/** State of a call. Each kind of state has only the fields that it needs. */
export type CallState =
  | { readonly kind: 'idle'; readonly ending?: CallEnding }
  | { readonly kind: 'initializing' }
  | ConnectedState
  /** `both`: visitor and assistant speak at the same time. The page then shows that the assistant speaks. */
  | (Sound & { readonly kind: 'speaking' | 'listening'; readonly both: boolean });

interface Sound {
  /** Loudness of the assistant's voice, from 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
}

type ConnectedState = Sound & { readonly kind: 'connected' };

export type CallEnding =
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: CallFailure };

export type CallFailure =
  | { readonly kind: 'unavailable' | 'not-initialized' | 'not-started' | 'ejected' }
  | { readonly kind: 'broken' | 'microphone'; readonly message: string | undefined };

export type CallEvent =
  | { readonly type: 'start' }
  | { readonly type: 'joined' }
  | { readonly type: 'speech'; readonly of: 'assistant' | 'visitor'; readonly started: boolean }
  | { readonly type: 'volume'; readonly level: number }
  | { readonly type: 'muted'; readonly muted: boolean }
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'failed'; readonly failure: CallFailure };

const STATE_OF = { assistant: 'speaking', visitor: 'listening' } as const;

/** Returns the state after an event. An event that does not fit the state leaves it unchanged. */
export function next(state: CallState, event: CallEvent): CallState {
  if (event.type === 'start') return state.kind === 'idle' ? { kind: 'initializing' } : state;
  if (state.kind === 'idle') return state;
  if (event.type === 'ended') return { kind: 'idle', ending: { kind: 'ended', reason: event.reason } };
  if (event.type === 'failed') return { kind: 'idle', ending: { kind: 'failed', failure: event.failure } };
  if (state.kind === 'initializing')
    return event.type === 'joined' ? { kind: 'connected', volume: 0, muted: false } : state;
  switch (event.type) {
    case 'joined':
      return state;
    case 'volume':
      return { ...state, volume: event.level };
    case 'muted':
      return { ...state, muted: event.muted };
    case 'speech':
      return event.started ? startedSpeaking(state, STATE_OF[event.of]) : stoppedSpeaking(state, STATE_OF[event.of]);
  }
}

type Active = Exclude<CallState, { readonly kind: 'idle' | 'initializing' }>;
type Spoken = (typeof STATE_OF)[keyof typeof STATE_OF];

/** If both speak, the state is 'speaking', because the assistant is what the visitor hears. */
function startedSpeaking(state: Active, kind: Spoken): CallState {
  const both = state.kind !== 'connected' && (state.kind !== kind || state.both);
  return { kind: both ? 'speaking' : kind, both, volume: state.volume, muted: state.muted };
}

function stoppedSpeaking(state: Active, kind: Spoken): CallState {
  const { volume, muted } = state;
  if (state.kind === 'connected') return state;
  if (state.both) return { kind: kind === 'speaking' ? 'listening' : 'speaking', both: false, volume, muted };
  return state.kind === kind ? { kind: 'connected', volume, muted } : state;
}
