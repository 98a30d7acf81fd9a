import { createStore } from '../ui/create-store.ts';
import { next, type CallEvent, type CallState } from './machine.ts';

export interface Sentence {
  readonly of: 'assistant' | 'visitor';
  readonly text: string;
  /** False while the voice service is still recognising this sentence. */
  readonly final: boolean;
}

/** Request of the voice assistant to use a function of this page, for example to fill in a field. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments of the function as the service sent them, not yet validated. */
  readonly rawArguments: unknown;
}

/**
 * Result of the function that the assistant requested. If the function refused, the assistant must tell the visitor.
 */
export interface ToolAnswer {
  readonly text: string;
  readonly isRefused: boolean;
}

/**
 * Event from the voice service: a new state of the call, a sentence, a change of the connection, or a request to use a
 * function.
 */
export type LineEvent =
  | CallEvent
  | { readonly type: 'connection'; readonly interrupted: boolean }
  | { readonly type: 'sentence'; readonly sentence: Sentence }
  | { readonly type: 'tool-call'; readonly tool: ToolCall };

export interface Line {
  dial(): void;
  setMuted(muted: boolean): void;
  /** Sends a function's result to the assistant. The visitor does not hear it. */
  sendToolAnswer(answer: ToolAnswer): void;
  /**
   * Ends the call, and resolves when the microphone is free. If the call is not connected yet, it is ended as soon as
   * it connects.
   */
  hangUp(): Promise<void>;
}

export type OpenLine = (report: (event: LineEvent) => void) => Promise<Line>;
type UseTool = (tool: ToolCall) => Promise<ToolAnswer | undefined>;

export interface CallView {
  readonly state: CallState;
  /**
   * Transcript of this call or, after it, of the last call. The transcript is emptied by the next call, or when the
   * visitor closes it.
   */
  readonly transcript: readonly Sentence[];
  readonly interrupted: boolean;
}

/**
 * Longest time in milliseconds until a call must have started. If a host does not respond, the library tries three
 * times for 20 s, with pauses of 3 s.
 */
const LONGEST_START = 80_000;
const LONGEST_HANG_UP = 5000;

export const NO_CALL: CallView = { state: { kind: 'idle' }, transcript: [], interrupted: false };

export class Call {
  readonly view = createStore(NO_CALL);
  /** Running attempt to call. Events that still come from an aborted attempt are ignored. */
  #attempt: AbortController | undefined;
  #line: Line | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  readonly #open: OpenLine;
  readonly #useTool: UseTool;

  constructor(open: OpenLine, useTool: UseTool) {
    this.#open = open;
    this.#useTool = useTool;
  }

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
    // The previous call must have ended, because the library allows only one call at a time.
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
    // If the code of a function cannot be loaded, the request is ignored and the call continues.
    const answer = await this.#useTool(tool).catch(() => undefined);
    if (answer && line === this.#line) line?.sendToolAnswer(answer);
  }
}

const BROKEN = { kind: 'broken', message: undefined } as const;

/**
 * Adds a sentence to the transcript. If the last version of the sentence was unfinished, the sentence replaces that
 * version.
 */
function withSentence(transcript: readonly Sentence[], sentence: Sentence): readonly Sentence[] {
  const open = transcript.findLastIndex(({ of, final }) => of === sentence.of && !final);
  return open < 0 ? [...transcript, sentence] : transcript.with(open, sentence);
}
