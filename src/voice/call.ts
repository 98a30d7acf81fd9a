import { createStore } from '../ui/create-store.ts';
import { next, type CallEvent, type CallState } from './machine.ts';

export interface Sentence {
  readonly of: 'assistant' | 'visitor';
  readonly text: string;
  /** Until then it is what has been understood so far. */
  readonly final: boolean;
}

/** Something that the assistant wants done in the page. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, as they came. */
  readonly written: unknown;
}

/** What became of it: after a refusal the assistant is to speak. */
export interface ToolAnswer {
  readonly text: string;
  readonly isRefused: boolean;
}

/** News that comes over a line: the events of a call, what was said, and how the connection is. */
export type Heard =
  | CallEvent
  | { readonly type: 'connection'; readonly interrupted: boolean }
  | { readonly type: 'said'; readonly sentence: Sentence }
  | { readonly type: 'asked'; readonly tool: ToolCall };

/** One attempt at a call. */
export interface Line {
  dial(): void;
  setMuted(muted: boolean): void;
  /** For the assistant alone: the visitor neither hears nor sees it. */
  tell(answer: ToolAnswer): void;
  /** Resolves when the microphone is free; what is still on its way is hung up as it comes. */
  hangUp(): Promise<void>;
}

export type OpenLine = (hear: (heard: Heard) => void) => Promise<Line>;
type UseTool = (tool: ToolCall) => Promise<ToolAnswer | undefined>;

export interface CallView {
  readonly state: CallState;
  /** That of the last call stays until the next, or until it is closed. */
  readonly transcript: readonly Sentence[];
  readonly interrupted: boolean;
}

/** The library tries a host that hangs three times for 20 s, 3 s apart; what hangs besides is given up by this. */
const LONGEST_START = 80_000;
const LONGEST_HANG_UP = 5000;

export const NO_CALL: CallView = { state: { kind: 'idle' }, transcript: [], interrupted: false };

export class Call {
  readonly view = createStore(NO_CALL);
  /** Events of an attempt that was aborted are dropped. */
  #attempt: AbortController | undefined;
  #line: Line | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  readonly #open: OpenLine;
  readonly #useTool: UseTool;

  constructor(open: OpenLine, useTool: UseTool) {
    this.#open = open;
    this.#useTool = useTool;
  }

  /** Ignored while a call is started. */
  start(): void {
    if (this.#attempt) return;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const hear = (heard: Heard) => {
      if (!attempt.signal.aborted) this.#hear(heard);
    };
    this.view.set({ ...NO_CALL, state: next(this.view.read().state, { type: 'start' }) });
    const timer = setTimeout(() => {
      if (this.view.read().state.kind === 'initializing') hear({ type: 'failed', failure: BROKEN });
    }, LONGEST_START);
    attempt.signal.addEventListener('abort', () => clearTimeout(timer));
    void this.#dial(attempt.signal, hear);
  }

  forgetTranscript(): void {
    this.view.set({ ...this.view.read(), transcript: [] });
  }

  stop(): void {
    this.#hear({ type: 'ended', reason: 'customer-ended-call' });
  }

  setMuted(muted: boolean): void {
    this.#line?.setMuted(muted);
    this.#hear({ type: 'muted', muted });
  }

  async #dial(signal: AbortSignal, hear: (heard: Heard) => void): Promise<void> {
    // The library allows one call object at a time.
    await this.#closed;
    let line: Line;
    try {
      line = await this.#open(hear);
    } catch {
      return hear({ type: 'failed', failure: { kind: 'not-initialized' } });
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

  #hear(heard: Heard): void {
    const view = this.view.read();
    if (heard.type === 'said') {
      return this.view.set({ ...view, transcript: withSentence(view.transcript, heard.sentence) });
    }
    if (heard.type === 'asked') return void this.#do(heard.tool);
    if (heard.type === 'connection') return this.view.set({ ...view, interrupted: heard.interrupted });
    const state = next(view.state, heard);
    if (state === view.state) return;
    if (state.kind === 'idle') {
      const attempt = this.#attempt;
      this.#attempt = undefined;
      attempt?.abort();
    }
    this.view.set({ ...view, state });
  }

  async #do(tool: ToolCall): Promise<void> {
    const line = this.#line;
    // A tool whose script does not come is one that nobody has: the call goes on.
    const answer = await this.#useTool(tool).catch(() => undefined);
    if (answer && line === this.#line) line?.tell(answer);
  }
}

const BROKEN = { kind: 'broken', message: undefined } as const;

/** A sentence as understood so far gives way to the same as understood in the end. */
function withSentence(transcript: readonly Sentence[], sentence: Sentence): readonly Sentence[] {
  const open = transcript.findLastIndex(({ of, final }) => of === sentence.of && !final);
  return open < 0 ? [...transcript, sentence] : transcript.with(open, sentence);
}
