import { setTimeout as wait } from 'node:timers/promises';
import type { ElementHandle, Page } from '@playwright/test';

// Walks every control of a page as a visitor comes upon it: what is there is pressed, what that brings is pressed next.

/** How long one took, from the event to the paint after it, as web-vitals counts it. */
export interface Interaction {
  readonly control: string;
  /** In steps of eight; what the browser does not report took less than 16. */
  readonly milliseconds: number;
  /** What it was spent on. */
  readonly event: string;
  readonly delay: number;
  readonly processing: number;
  readonly painting: number;
}

export interface Walk {
  readonly interactions: readonly Interaction[];
  /** What was seen and could not be pressed, with the reason. */
  readonly missed: ReadonlyMap<string, string>;
}

interface Ground {
  /** Brings the page to where the walk begins. */
  readonly open: (page: Page) => Promise<void>;
  /** Only what is within these is pressed. */
  readonly within?: string | undefined;
  readonly by: 'pointer' | 'keys';
  readonly most: number;
  readonly until: number;
}

interface Control {
  readonly name: string;
  readonly kind: string;
}

/** Of rows that are all alike so many: the thousandth is no other control. */
const ALIKE = 3;
const PATIENCE = 2500;
const TRIES = 2;

export async function walkControls(page: Page, { open, within = 'html', by, most, until }: Ground): Promise<Walk> {
  const interactions: Interaction[] = [];
  const missed = new Map<string, string>();
  const pressed = new Set<string>();
  /** Of each control that came with a press: of which. */
  const openers = new Map<string, string | undefined>();
  const tries = new Map<string, number>();

  /** What can be pressed where the page stands now, by name. */
  const look = (): Promise<Control[]> =>
    page.evaluate(([selector, alike]) => globalThis.walk.look(selector, alike), [within, ALIKE] as const);
  const begin = async () => {
    await open(page);
    await settled(page);
    for (const { name } of await look()) if (!openers.has(name)) openers.set(name, undefined);
  };
  const press = async (control: Control): Promise<void> => {
    pressed.add(control.name);
    const handle = await page.evaluateHandle((name) => globalThis.walk.find(name), control.name);
    const element = handle.asElement();
    if (!element) return void missed.set(control.name, 'it was gone');
    // Where a visitor's thumb finds it, with whatever the scroll brings done.
    await element.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await settled(page);
    await page.evaluate(() => globalThis.walk.begin());
    try {
      await touch(page, element, control.kind, by);
      missed.delete(control.name);
    } catch (error) {
      const [reason] = /intercepts pointer events|not visible|not enabled|not stable|outside|detached/.exec(
        String(error),
      ) ?? ['it did not take the press'];
      missed.set(control.name, reason);
    }
    await settled(page);
    for (const each of await page.evaluate(() => globalThis.walk.read()))
      interactions.push({ control: control.name, ...each });
    for (const { name } of await look()) if (!openers.has(name)) openers.set(name, control.name);
  };

  await begin();
  while (interactions.length < most && performance.now() < until) {
    try {
      const here = await look();
      const next = here.find(({ name }) => !pressed.has(name));
      if (next) {
        await press(next);
        continue;
      }
      const left = [...openers.keys()].filter((name) => !pressed.has(name) && (tries.get(name) ?? 0) < TRIES);
      const [wanted] = left;
      if (!wanted) break;
      tries.set(wanted, (tries.get(wanted) ?? 0) + 1);
      await page.keyboard.press('Escape');
      await settled(page);
      if ((await look()).some(({ name }) => !pressed.has(name))) continue;
      await begin();
      for (const step of wayTo(wanted, openers)) {
        const control = (await look()).find(({ name }) => name === step);
        if (control) await press(control);
      }
    } catch {
      // The press led to another page.
      await wait(200);
      await begin();
    }
  }
  for (const name of openers.keys())
    if (!pressed.has(name) && interactions.length < most)
      missed.set(name, performance.now() < until ? 'it did not come back' : 'no time was left');
  return { interactions, missed };
}

/** From where the walk begins: what has to be pressed for this one to be there. */
function wayTo(name: string, openers: ReadonlyMap<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let at = openers.get(name); at && !way.includes(at); at = openers.get(at)) way.unshift(at);
  return way;
}

const TYPED: Readonly<Record<string, string>> = {
  email: 'ventas@berries.mx',
  tel: '+526641234567',
  number: '1200',
  date: '11282099',
};

async function touch(page: Page, element: ElementHandle<HTMLElement>, kind: string, by: Ground['by']): Promise<void> {
  const keys = async (...all: string[]) => {
    for (const key of all) await page.keyboard.press(key);
  };
  if (kind === 'file') {
    const picture = { name: 'caja.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\ncaja') };
    await (element as unknown as ElementHandle<HTMLInputElement>).setInputFiles(picture);
    return;
  }
  const isPlain = kind === 'press';
  if (by === 'keys' && isPlain) {
    await element.focus();
    const isChoice = await element.evaluate((one) => one.matches('input'));
    return keys(isChoice ? 'Space' : 'Enter');
  }
  // A click by itself would ask within the event what lies there, and lay out the page for it.
  await element.click({ timeout: PATIENCE, trial: true });
  const { x, y, width, height } = await element.evaluate((one) => one.getClientRects()[0]!.toJSON() as DOMRect);
  await page.mouse.click(x + width / 2, y + height / 2);
  if (isPlain) return;
  if (kind === 'select') return keys('Escape', 'ArrowDown');
  if (kind === 'range') return keys('ArrowRight', 'ArrowLeft');
  if (kind === 'area') return keys('ArrowDown', 'ArrowRight', 'PageDown', 'End', 'Home');
  await page.keyboard.type(TYPED[kind] ?? 'Mango', { delay: 40 });
}

/** Nothing is being painted or done any more, or it never ends. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    (longest) =>
      Promise.race([
        new Promise((resolve) => setTimeout(resolve, longest)),
        (async () => {
          const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
          await frame();
          await frame();
          for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => requestIdleCallback(resolve));
          // Events are told of a moment after their paint.
          await new Promise((resolve) => setTimeout(resolve, 60));
        })(),
      ]),
    PATIENCE,
  );
}

declare global {
  var walk: {
    look(within: string, alike: number): Control[];
    find(name: string): HTMLElement | undefined;
    begin(): void;
    read(): Omit<Interaction, 'control'>[];
  };
}

/** What the page itself has to know, before anything of it runs. */
export const teachToWalk = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const CONTROLS =
      'button, a[href], input, select, textarea, summary, [contenteditable=true], [tabindex]:not([tabindex^="-"]), ' +
      '[role=button], [role=link], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio], [role=menuitem], [role=slider]';
    let named = new Map<string, HTMLElement>();
    let events: PerformanceEventTiming[] = [];

    // A link to elsewhere is pressed like any other, and not followed.
    addEventListener('click', (event) => {
      const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href]');
      if (!link) return;
      const isHere = link.pathname === location.pathname && link.origin === location.origin && link.hash;
      if (!isHere && !link.download) event.preventDefault();
    });
    const observer = new PerformanceObserver((list) => events.push(...(list.getEntries() as PerformanceEventTiming[])));
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);

    const labelOf = (element: Element): HTMLElement | undefined => (element as HTMLInputElement).labels?.[0];
    const nameOf = (element: HTMLElement): string => {
      const role = element.getAttribute('role') ?? element.localName;
      const said =
        element.getAttribute('aria-label') ??
        (labelOf(element)?.innerText ||
          element.innerText ||
          element.getAttribute('name') ||
          element.title ||
          element.id);
      const type = element.localName === 'input' ? ` ${element.getAttribute('type') ?? 'text'}` : '';
      const words = said
        .trim()
        .replaceAll(/AP-[\w-]+/g, 'AP-…')
        .replaceAll(/\d+/g, '#')
        .split('\n')[0]!
        .slice(0, 60);
      return `${role}${type} “${words}”`;
    };
    const isThere = (element: HTMLElement): boolean => {
      if (element.closest('[inert]') || element.matches(':disabled, [aria-disabled=true]')) return false;
      const modal = document.querySelector('dialog:modal');
      if (modal && !modal.contains(element) && !element.closest(':popover-open')) return false;
      const seen = (element as HTMLInputElement).type === 'file' ? (labelOf(element) ?? element) : element;
      if (!seen.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      const { width, height } = seen.getBoundingClientRect();
      return width > 1 && height > 1;
    };
    const kindOf = (element: HTMLElement): string => {
      if (element.localName === 'select') return 'select';
      if (element.localName === 'textarea') return 'text';
      if (element.localName === 'input') {
        const { type } = element as HTMLInputElement;
        return ['checkbox', 'radio', 'button', 'submit', 'reset'].includes(type) ? 'press' : type;
      }
      return element.matches('button, a, summary, [role=button], [role=option], [role=tab], [role=radio], [role=link]')
        ? 'press'
        : 'area';
    };

    globalThis.walk = {
      look(within, alike) {
        named = new Map();
        const rows = new Map<string, number>();
        const found: { name: string; kind: string }[] = [];
        for (const element of document.querySelectorAll<HTMLElement>(CONTROLS)) {
          if (!element.closest(within) || !isThere(element)) continue;
          const isRow = element.matches('[role=option]');
          let name = isRow ? 'option, a row' : nameOf(element);
          const before = rows.get(name) ?? 0;
          rows.set(name, before + 1);
          if (before >= alike) continue;
          if (before > 0) name += ` (${before + 1})`;
          named.set(name, element);
          found.push({ name, kind: kindOf(element) });
        }
        return found;
      },
      find: (name) => named.get(name),
      begin() {
        observer.takeRecords();
        events = [];
      },
      read() {
        events.push(...(observer.takeRecords() as PerformanceEventTiming[]));
        const longest = new Map<number, PerformanceEventTiming>();
        for (const event of events) {
          const { interactionId, duration } = event as PerformanceEventTiming & { interactionId: number };
          if (interactionId && duration > (longest.get(interactionId)?.duration ?? 0))
            longest.set(interactionId, event);
        }
        const most = [...longest.values()].toSorted((one, other) => other.duration - one.duration)[0];
        if (!most) return [{ milliseconds: 8, event: '', delay: 0, processing: 0, painting: 0 }];
        const { name, duration, startTime, processingStart, processingEnd } = most;
        return [
          {
            milliseconds: duration,
            event: name,
            delay: Math.round(processingStart - startTime),
            processing: Math.round(processingEnd - processingStart),
            painting: Math.round(startTime + duration - processingEnd),
          },
        ];
      },
    };
  });
