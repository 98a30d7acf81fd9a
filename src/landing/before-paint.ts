// Inline script of the document, which runs before the first paint (build/first-script.ts). It names an internal
// page asked for in the query string, so that the landing never flashes; learns whether data is to be saved
// (src/phone/data-saver.ts); leaves room for the way back to a quote; shows one language alone
// (src/phone/language.ts); takes the own typeface; keeps a touch or a press that comes before its island has woken; and asks
// for the loader after the paint.

/** The address of src/landing/client.ts once it is built; empty in the dev server's document, which asks for it by itself. */
declare const LOADER: string;
/** The address of what keeps a quote (quote-form.ts): who does not save data has it at once. */
declare const FORM: string;

/** In Chromium only. */
type Connected = { connection?: { saveData?: boolean; effectiveType?: string } };

{
  const root = document.documentElement;
  const { dataset } = root;
  const page = /icon-designer|vapi-icon/.exec(location.search)?.[0];
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
  const { saveData, effectiveType } = (navigator as Connected).connection ?? {};
  if (choice ? choice === 'on' : saveData || /2g/.test(effectiveType!)) dataset['saving'] = '';
  // innerWidth last: for it a page of nothing is laid out.
  else if (navigator.serviceWorker?.controller || innerWidth > 767) {
    dataset['ownFace'] = '';
    link('rel=preload as=font crossorigin href=/fonts/barlow-condensed-600.woff2');
  }
  const keep = (event: Event) => {
    const isSubmit = event.type === 'submit';
    // The form's own way is for browsers without script.
    if (isSubmit) event.preventDefault();
    // A press may lead to any place of the page.
    delete dataset['above'];
    const target = event.target as HTMLElement;
    const island = target.closest<HTMLElement>('[data-island]:not([data-heard])');
    const pressed = isSubmit ? target : target.closest('button');
    if (!island || !pressed) return;
    island.pressed = pressed;
    island.dataset['pressed'] = '';
    if (isSubmit) target.ariaBusy = 'true';
  };
  addEventListener('submit', keep, true);
  addEventListener('click', keep, true);

  if (LOADER) {
    // Runs more than once: of the paint and of its contents.
    const afterPaint = (run: () => unknown) => new PerformanceObserver(run).observe({ type: 'paint', buffered: true });
    const coming: Record<string, Promise<unknown> | 0> = {};
    const bring = (window.bring = (file) =>
      (coming[file] ||= fetch(file)
        .then((answer) => (answer.ok ? answer.blob() : Promise.reject()))
        .catch(() => {
          coming[file] = 0;
          throw new Error('module');
        })));
    if (!page) {
      // Before the end of the document has come, so that the line is never idle.
      if (!('saving' in dataset)) afterPaint(() => void bring(FORM).catch(() => {}));
      // Sections below the screen are laid out after the first paint (lay-out.ts). A visit that begins at an anchor needs
      // the height of everything above it.
      if (!location.hash && !performance.navigation.type) dataset['above'] = '';
    }
    const loader = LOADER;
    const load = (): unknown =>
      bring(loader)
        .then(() => import(/* @vite-ignore */ loader))
        .catch(() => setTimeout(load, 3000));
    addEventListener('DOMContentLoaded', () => {
      afterPaint(load);
      // In a tab in the background nothing is painted, and what waits there is still to be sent.
      setTimeout(() => {
        load();
        delete dataset['above'];
      }, 2000);
    });
  }
}
