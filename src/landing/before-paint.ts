// Script inside the document (build/first-script.ts). It runs before the browser paints the page for the first time:
// - marks an internal page that the query string names, so that the landing page is not shown for a moment;
// - marks data saver mode (src/phone/data-saver.ts);
// - reserves room above the hero for the link to the visitor's quotes;
// - shows only one language (src/phone/show-language.ts);
// - starts the download of the site's own typeface;
// - records a press on an island in which React has not started yet;
// - fetches the loader after the first paint.

/** URL of src/landing/client.ts as built. Empty on the dev server, whose document loads client.ts itself. */
declare const LOADER: string;
/** URL of the file whose code stores quotes (quote-form.ts). It is fetched at once, except in data saver mode. */
declare const FORM: string;

/** Type of a property of `navigator` that only Chromium has. */
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
  // On a narrow screen the typeface is used only if the worker has cached it. `innerWidth` is read last, because
  // reading it makes the browser compute the layout.
  else if (navigator.serviceWorker?.controller || innerWidth > 767) {
    dataset['ownFace'] = '';
    link('rel=preload as=font crossorigin href=/fonts/barlow-condensed-600.woff2');
  }
  const recordPress = (event: Event) => {
    const isSubmit = event.type === 'submit';
    // The script sends the form. Only a page without scripts lets the browser submit it.
    if (isSubmit) event.preventDefault();
    // The press may scroll to any section, so the deferred sections are laid out now and get their true height.
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
    // `run` is called twice, after the first paint and after the first contentful paint; `bring` fetches each file only
    // once.
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
      // The layout of sections below the screen is deferred until after the first paint (lay-out.ts). It is not
      // deferred if the visit begins at an anchor, with a reload or with a step back: the scroll position then depends
      // on the sections above.
      if (!location.hash && !performance.navigation.type) dataset['above'] = '';
    }
    const loader = LOADER;
    const load = (): unknown =>
      bring(loader)
        .then(() => import(/* @vite-ignore */ loader))
        .catch(() => setTimeout(load, 3000));
    addEventListener('DOMContentLoaded', () => {
      afterPaint(load);
      // A tab in the background is not painted, but must send waiting quotes too. The loader therefore also starts
      // after two seconds.
      setTimeout(() => {
        load();
        delete dataset['above'];
      }, 2000);
    });
  }
}
