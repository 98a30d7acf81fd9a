/** A browser in which the flows run. */
export interface Engine {
  readonly version: string;
  /** Opens a tab with a new profile, as on a first visit. */
  open(origin: string): Promise<Tab>;
  close(): Promise<void>;
}

/** Browser functions that the tests use. All exist in W3C WebDriver, so that the same test runs in each engine. */
export interface Tab {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  evaluate<Given extends readonly string[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result>>;
  /** Presses the first visible match. */
  click(selector: string, text?: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  choose(selector: string, value: string): Promise<void>;
  press(key: 'Escape'): Promise<void>;
  close(): Promise<void>;
  /** Messages in the console; undefined if the engine does not report them. */
  readonly consoleLines?: readonly string[];
  /** Cuts the engine's network; undefined if the engine cannot. */
  setOnline?(online: boolean): Promise<void>;
  /** Switches to another window and back. */
  lookAway(): Promise<void>;
}
