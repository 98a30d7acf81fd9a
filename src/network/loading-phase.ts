/** Phase in the loading of the map. The loaded map replaces the still picture. */
type LoadingPhase =
  | { readonly kind: 'loading' }
  /**
   * Loading takes longer than LONGEST_LOADING. The page says so and shows the map's buttons; a press takes effect once
   * the map is ready.
   */
  | { readonly kind: 'forced' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' };

export type PhaseEvent = 'ready' | 'timeout' | 'error';

export const LOADING: LoadingPhase = { kind: 'loading' };
export const LONGEST_LOADING = 5000;

/** Next phase for each event. An event that comes too late has no entry and is ignored. */
const nextPhases: Record<LoadingPhase['kind'], Partial<Record<PhaseEvent, LoadingPhase>>> = {
  loading: { ready: { kind: 'ready' }, timeout: { kind: 'forced' }, error: { kind: 'failed' } },
  forced: { ready: { kind: 'ready' }, error: { kind: 'failed' } },
  ready: { error: { kind: 'failed' } },
  failed: {},
};

export function nextPhase(phase: LoadingPhase, event: PhaseEvent): LoadingPhase {
  return nextPhases[phase.kind][event] ?? phase;
}
