import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { freePort } from '../free-port.ts';
import type { Engine, Tab } from './engine.ts';

/** Name of the property that holds an element’s id in W3C WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ESCAPE = '\uE00C';
const PATIENCE = 60_000;

type Call = <Result = void>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Result>;
interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

type Found = Readonly<Record<typeof ELEMENT, string>>;

/** Starts WebKitGTK with its own driver on a virtual screen. */
export async function startWebKit(driver: string, screen: string): Promise<Engine> {
  const display = start(screen, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {}, [
    'ignore',
    'ignore',
    'ignore',
    'pipe',
  ]);
  const [number] = (await once(display.stdio[3] as Readable, 'data')) as [Buffer];
  const environment = { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11' };
  let version = '';

  async function begin(): Promise<{ call: Call; server: ChildProcess }> {
    const port = await freePort();
    const server = start(driver, [`--port=${port}`], environment, 'ignore');
    try {
      const address = `http://127.0.0.1:${port}`;
      const call = caller(address);
      await until('WebKitWebDriver answers', () => call('GET', '/status').then(() => true));
      const session = await call<Session>('POST', '/session', { capabilities: {} });
      version = session.capabilities.browserVersion;
      return { call: caller(`${address}/session/${session.sessionId}`), server };
    } catch (error) {
      await end(server);
      throw error;
    }
  }

  return {
    get version() {
      return version;
    },
    async open(origin) {
      // On a busy machine the browser sometimes never reports to its driver, so the start is tried twice.
      const { call, server } = await begin().catch(begin);
      return { ...tabOf(call, origin), close: () => end(server) };
    },
    close: () => end(display),
  };
}

function tabOf(call: Call, origin: string): Omit<Tab, 'close'> {
  async function evaluate(work: (...given: readonly string[]) => unknown, ...given: readonly string[]) {
    const script = `const [given, done] = arguments;
      Promise.resolve().then(() => (${String(work)})(...given))
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await call<{ value?: unknown; error?: string }>('POST', '/execute/async', {
      script,
      args: [given],
    });
    if (error) throw new Error(error);
    return value;
  }

  /** Waits for the element, as Playwright does. */
  const first = (selector: string, text = '') =>
    until(`${selector} ${text} is there`, async () => {
      const found = (await evaluate(firstVisible, selector, text)) as Found | null;
      return found?.[ELEMENT];
    });

  /** Acts on the element, and tries again while it cannot be pressed, for example while the map moves its markers. */
  const on = (selector: string, text: string, act: (element: string) => Promise<void>) =>
    until(`${selector} ${text} can be used`, async () => {
      await act(await first(selector, text));
      return true;
    });

  return {
    goto: (address) => call('POST', '/url', { url: new URL(address, origin).href }),
    reload: () => call('POST', '/refresh', {}),
    evaluate: evaluate as Tab['evaluate'],
    click: async (selector, text = '') =>
      void (await on(selector, text, (element) => call('POST', `/element/${element}/click`, {}))),
    type: async (selector, text) =>
      void (await on(selector, '', async (element) => {
        await call('POST', `/element/${element}/clear`, {});
        await call('POST', `/element/${element}/value`, { text });
      })),
    choose: async (selector, value) =>
      void (await on(selector, '', async (element) => {
        const using = { using: 'css selector', value: `option[value="${value}"]` };
        const { [ELEMENT]: option } = await call<Found>('POST', `/element/${element}/element`, using);
        await call('POST', `/element/${option}/click`, {});
      })),
    async press() {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: ESCAPE }));
      await call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    async lookAway() {
      await call('POST', '/window/minimize', {});
      await until('it is hidden', () => evaluate(() => document.visibilityState === 'hidden'));
      await call('POST', '/window/rect', { x: 0, y: 0, width: 480, height: 800 });
      await until('it is visible', () => evaluate(() => document.visibilityState === 'visible'));
    },
  };
}

/**
 * Runs in the page, because the driver does not wait until the page stops scrolling and the element stops moving.
 */
async function firstVisible(selector = '', text = ''): Promise<Element | undefined> {
  const found = [...document.querySelectorAll(selector)].find(
    (element) => element.checkVisibility() && element.textContent.includes(text),
  );
  found?.scrollIntoView({ behavior: 'instant', block: 'center' });
  const first = found?.getBoundingClientRect();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const last = found?.getBoundingClientRect();
  return first?.x === last?.x && first?.y === last?.y ? found : undefined;
}

function caller(address: string): Call {
  return async <Result>(method: string, path: string, body?: object) => {
    const answer = await fetch(address + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${path}: ${String(error)}`, { cause: error });
    });
    const { value } = (await answer.json()) as { value: Result & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };
}

async function until<Result>(what: string, ask: () => Promise<Result>): Promise<NonNullable<Result>> {
  const last = Date.now() + PATIENCE;
  let cause: unknown;
  for (;;) {
    const answer = await ask().catch((error: unknown) => void (cause = error));
    if (answer) return answer;
    if (Date.now() > last)
      throw new Error(`Timed out waiting until ${what}. ${cause instanceof Error ? cause.message : ''}`, { cause });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach(kill));

/** Starts a process in its own process group. This Node process, at its end, kills the group with all children. */
function start(file: string, args: readonly string[], environment: NodeJS.ProcessEnv, stdio: StdioOptions) {
  const child = spawn(file, args, { detached: true, env: { ...process.env, ...environment }, stdio });
  running.add(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = child.exitCode === null && child.signalCode === null && once(child, 'exit');
  kill(child);
  running.delete(child);
  await gone;
}

function kill(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
