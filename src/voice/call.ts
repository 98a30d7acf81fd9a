import { createStore } from '../ui/create-store.ts';
import { next, type CallEvent, type CallState } from './machine.ts';

export interface Sentence {
  readonly of: 'assistant' | 'visitor';
  readonly text: string;
  /** False while the service is still recognising the sentence. */
  readonly final: boolean;
}

/** Request of the assistant to run a tool of the page. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as the service sent them, not parsed yet. */
  readonly rawArguments: unknown;
}

/** Result of a tool. If the tool refused, the assistant must tell the visitor. */
export interface ToolAnswer {
  readonly text: string;
  readonly isRefused: boolean;
}

/** Event of the connection to the voice service: state of the call, transcript, connection or tool. */
export type LineEvent =
  | CallEvent
  | { readonly type: 'connection'; readonly interrupted: boolean }
  | { readonly type: 'sentence'; readonly sentence: Sentence }
  | { readonly type: 'tool-call'; readonly tool: ToolCall };

export interface Line {
  dial(): void;
  setMuted(muted: boolean): void;
  /** Sends a tool's result to the assistant; the visitor does not hear it. */
  sendToolAnswer(answer: ToolAnswer): void;
  /**
   * Ends the call. Resolves when the microphone is free. A call that is not connected yet is ended as soon as it
   * connects.
   */
  hangUp(): Promise<void>;
}

export type OpenLine = (report: (event: LineEvent) => void) => Promise<Line>;
type UseTool = (tool: ToolCall) => Promise<ToolAnswer | undefined>;

export interface CallView {
  readonly state: CallState;
  /** Transcript of the current or last call. Emptied by the next call, or when the visitor closes it. */
  readonly transcript: readonly Sentence[];
  readonly interrupted: boolean;
}

/**
 * Milliseconds allowed for the start of a call: if a host does not respond, the library tries three times for 20 s, 3 s
 * apart.
 */
const LONGEST_START = 80_000;
const LONGEST_HANG_UP = 5000;

export const NO_CALL: CallView = { state: { kind: 'idle' }, transcript: [], interrupted: false };

export class Call {
  readonly view = createStore(NO_CALL);
  /** Current attempt to call. After an attempt is aborted, its late events are dropped. */
  #attempt: AbortController | undefined;
  #line: Line | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  readonly #open: OpenLine;
  readonly #useTool: UseTool;

  constructor(open: OpenLine, useTool: UseTool) {
    this.#open = open;
    this.#useTool = useTool;
  }

  /** Starts a call, unless one is active. */
  start(): void {
    if (this.#attempt) return;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const report = (event: LineEvent) => {
      if (!attempt.signal.aborted) this.#apply(event);
    };
    this.view.set({ ...NO_CALL, state: next(this.view.read().state, { type: 'start' }) });
    const timer = setTimeout(() => {
      if (this.view.read().state.kind === 'initializing') report({ type: 'failed', failure: BROKEN });
    }, LONGEST_START);
    attempt.signal.addEventListener('abort', () => clearTimeout(timer));
    void this.#dial(attempt.signal, report);
  }

  forgetTranscript(): void {
    this.view.set({ ...this.view.read(), transcript: [] });
  }

  stop(): void {
    this.#apply({ type: 'ended', reason: 'customer-ended-call' });
  }

  setMuted(muted: boolean): void {
    this.#line?.setMuted(muted);
    this.#apply({ type: 'muted', muted });
  }

  async #dial(signal: AbortSignal, report: (event: LineEvent) => void): Promise<void> {
    // The previous call must be closed first, because the library allows one call object at a time.
    await this.#closed;
    let line: Line;
    try {
      line = await this.#open(report);
    } catch {
      return report({ type: 'failed', failure: { kind: 'not-initialized' } });
    }
    if (signal.aborted) return;
    this.#line = line;
    signal.addEventListener('abort', () => {
      this.#line = undefined;
      const wait = new Promise((resolve) => setTimeout(resolve, LONGEST_HANG_UP));
      this.#closed = Promise.race([line.hangUp().catch(() => undefined), wait]);
    });
    line.dial();
  }

  #apply(event: LineEvent): void {
    const view = this.view.read();
    if (event.type === 'sentence') {
      return this.view.set({ ...view, transcript: withSentence(view.transcript, event.sentence) });
    }
    if (event.type === 'tool-call') return void this.#runTool(event.tool);
    if (event.type === 'connection') return this.view.set({ ...view, interrupted: event.interrupted });
    const state = next(view.state, event);
    if (state === view.state) return;
    if (state.kind === 'idle') {
      const attempt = this.#attempt;
      this.#attempt = undefined;
      attempt?.abort();
    }
    this.view.set({ ...view, state });
  }

  async #runTool(tool: ToolCall): Promise<void> {
    const line = this.#line;
    // If a tool's script fails to load, the tool counts as unknown, and the call continues.
    const answer = await this.#useTool(tool).catch(() => undefined);
    if (answer && line === this.#line) line?.sendToolAnswer(answer);
  }
}

const BROKEN = { kind: 'broken', message: undefined } as const;

/** Adds a sentence to the transcript, in place of its preliminary version if there is one. */
function withSentence(transcript: readonly Sentence[], sentence: Sentence): readonly Sentence[] {
  const open = transcript.findLastIndex(({ of, final }) => of === sentence.of && !final);
  return open < 0 ? [...transcript, sentence] : transcript.with(open, sentence);
}
