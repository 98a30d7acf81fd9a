/** State of the map for the visitor; the still picture is behind each. */
type LoadingPhase =
  | { readonly kind: 'loading' }
  /** The map took too long: the page shows its note, and remembers what the buttons asked for. */
  | { readonly kind: 'forced' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' };

export type PhaseEvent = 'ready' | 'timeout' | 'error';

export const LOADING: LoadingPhase = { kind: 'loading' };
export const LONGEST_LOADING = 5000;

/** Next phase per event; late events have no entry and are dropped. */
const nextPhases: Record<LoadingPhase['kind'], Partial<Record<PhaseEvent, LoadingPhase>>> = {
  loading: { ready: { kind: 'ready' }, timeout: { kind: 'forced' }, error: { kind: 'failed' } },
  forced: { ready: { kind: 'ready' }, error: { kind: 'failed' } },
  ready: { error: { kind: 'failed' } },
  failed: {},
};

export function nextPhase(phase: LoadingPhase, event: PhaseEvent): LoadingPhase {
  return nextPhases[phase.kind][event] ?? phase;
}
