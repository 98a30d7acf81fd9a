// Inline script of the document, which runs before the first paint (build/first-script.ts):
// - marks an internal page named in the query string, so that the landing never flashes;
// - marks data saver mode (src/phone/data-saver.ts);
// - reserves room for the line above the hero, which opens the quotes;
// - shows one language alone (src/phone/show-language.ts);
// - preloads the site's own typeface;
// - records a press on an island that is not hydrated yet;
// - fetches the loader after the paint.

/** URL of the built src/landing/client.ts; empty on the dev server, whose document loads this module itself. */
declare const LOADER: string;
/** URL of the chunk that stores quotes (quote-form.ts), fetched at once unless data saver mode is on. */
declare const FORM: string;

/** Network information, which only Chromium has. */
type WithConnection = { connection?: { saveData?: boolean; effectiveType?: string } };

{
  const root = document.documentElement;
  const { dataset } = root;
  const page = ['icon-designer', 'vapi-icon'].find((name) => location.search.includes(name));
  if (page) dataset['page'] = page;
  const link = (attributes: string) => document.head.insertAdjacentHTML('beforeend', `<link ${attributes}>`);
  let choice;
  try {
    choice = localStorage['aeropuente.data-saver'];
    if (localStorage['aeropuente.quotes']) dataset['quotes'] = '';
    const language = localStorage['aeropuente.language'];
    if (language) {
      root.lang = language;
      link(`rel=stylesheet blocking=render href=/${language}.css`);
    }
  } catch {}
  const { saveData, effectiveType } = (navigator as WithConnection).connection ?? {};
  if (choice ? choice === 'on' : saveData || /2g/.test(effectiveType!)) dataset['saving'] = '';
  // `innerWidth` comes last in the condition, because reading it forces a layout.
  else if (navigator.serviceWorker?.controller || innerWidth > 767) {
    dataset['ownFace'] = '';
    link('rel=preload as=font crossorigin href=/fonts/barlow-condensed-600.woff2');
  }
  const recordPress = (event: Event) => {
    const isSubmit = event.type === 'submit';
    // The submit event is cancelled: only pages without scripts submit the form through the browser.
    if (isSubmit) event.preventDefault();
    // A press may scroll to any section, so the deferred sections are laid out to have their height.
    delete dataset['above'];
    const target = event.target as HTMLElement;
    const island = target.closest<HTMLElement>('[data-island]:not([data-live])');
    const pressed = isSubmit ? target : target.closest('button');
    if (!island || !pressed) return;
    island.pressed = pressed;
    island.dataset['pressed'] = '';
    if (isSubmit) target.ariaBusy = 'true';
  };
  addEventListener('submit', recordPress, true);
  addEventListener('click', recordPress, true);

  if (LOADER) {
    // Calls `run` twice: after the first paint and after the first contentful paint.
    const afterPaint = (run: () => unknown) => new PerformanceObserver(run).observe({ type: 'paint', buffered: true });
    const requests: Record<string, Promise<unknown> | 0> = {};
    const bring = (window.bring = (file) =>
      (requests[file] ||= fetch(file)
        .then((answer) => (answer.ok ? answer.blob() : Promise.reject()))
        .catch(() => {
          requests[file] = 0;
          throw new Error('module');
        })));
    if (!page) {
      // The fetch starts while the document is still arriving, so that the connection is never idle.
      if (!('saving' in dataset)) afterPaint(() => void bring(FORM).catch(() => {}));
      // Sections below the screen are laid out after the first paint (lay-out.ts). An exception is a visit that begins
      // at an anchor, whose position depends on the sections above.
      if (!location.hash && !performance.navigation.type) dataset['above'] = '';
    }
    const loader = LOADER;
    const load = (): unknown =>
      bring(loader)
        .then(() => import(/* @vite-ignore */ loader))
        .catch(() => setTimeout(load, 3000));
    addEventListener('DOMContentLoaded', () => {
      afterPaint(load);
      // A background tab never paints, but must send waiting quotes too, so the loader also starts after a time.
      setTimeout(() => {
        load();
        delete dataset['above'];
      }, 2000);
    });
  }
}
