/** A browser that the flows can be run in. */
export interface Engine {
  readonly version: string;
  /** A tab with a profile of its own, as on a phone that has never been here. */
  open(origin: string): Promise<Tab>;
  close(): Promise<void>;
}

/** The little that the flows ask of a browser: what W3C WebDriver can do, so that one wording serves every engine. */
export interface Tab {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  evaluate<Given extends readonly string[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result>>;
  /** Presses the first visible thing, as a visitor would. */
  click(selector: string, text?: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  choose(selector: string, value: string): Promise<void>;
  press(key: 'Escape'): Promise<void>;
  close(): Promise<void>;
  /** Errors, warnings and all else in the console. Absent where it cannot be heard. */
  readonly said?: readonly string[];
  /** Cuts the engine's own network. Absent where the engine offers no such thing. */
  setOnline?(online: boolean): Promise<void>;
  /** Another window is looked at, and then this one again. */
  lookAway(): Promise<void>;
}
