/** Loading phase of the map, which appears over the still picture. */
type LoadingPhase =
  | { readonly kind: 'loading' }
  /** Loading takes long: the page shows a note, and the map will carry out the pressed buttons once it is ready. */
  | { readonly kind: 'forced' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' };

export type PhaseEvent = 'ready' | 'timeout' | 'error';

export const LOADING: LoadingPhase = { kind: 'loading' };
export const LONGEST_LOADING = 5000;

/** Next phase for each event; events that come too late have no entry and are dropped. */
const nextPhases: Record<LoadingPhase['kind'], Partial<Record<PhaseEvent, LoadingPhase>>> = {
  loading: { ready: { kind: 'ready' }, timeout: { kind: 'forced' }, error: { kind: 'failed' } },
  forced: { ready: { kind: 'ready' }, error: { kind: 'failed' } },
  ready: { error: { kind: 'failed' } },
  failed: {},
};

export function nextPhase(phase: LoadingPhase, event: PhaseEvent): LoadingPhase {
  return nextPhases[phase.kind][event] ?? phase;
}
