/** Browser in which the tests run. */
export interface Engine {
  readonly version: string;
  /** Opens a tab with a new profile, like a first visit. */
  open(origin: string): Promise<Tab>;
  close(): Promise<void>;
}

/** Browser functions that the tests use. W3C WebDriver has all of them, so the same test runs in every engine. */
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
  /** Messages in the browser’s console; undefined if the driver does not report them. */
  readonly consoleLines?: readonly string[];
  /** Turns the browser’s network off or on; undefined if the driver cannot. */
  setOnline?(online: boolean): Promise<void>;
  /** Switches to another tab and back. */
  lookAway(): Promise<void>;
}
