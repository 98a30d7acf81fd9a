/** The state of the map as the visitor sees it. The still picture is behind each. */
type Phase =
  | { readonly kind: 'loading' }
  /** The map took too long and counts as ready: its note is shown, and what its controls are asked it does when it comes. */
  | { readonly kind: 'forced' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' };

export type PhaseEvent = 'ready' | 'timeout' | 'error';

export const LOADING: Phase = { kind: 'loading' };
export const LONGEST_LOADING = 5000;

/** Each phase names what may still change it: whatever else comes late changes nothing. */
const after: Record<Phase['kind'], Partial<Record<PhaseEvent, Phase>>> = {
  loading: { ready: { kind: 'ready' }, timeout: { kind: 'forced' }, error: { kind: 'failed' } },
  forced: { ready: { kind: 'ready' }, error: { kind: 'failed' } },
  ready: { error: { kind: 'failed' } },
  failed: {},
};

export function nextPhase(phase: Phase, event: PhaseEvent): Phase {
  return after[phase.kind][event] ?? phase;
}
