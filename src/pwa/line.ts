import type { Bilingual } from '../content/bilingual.ts';

const MOMENT = 6000;

let standing: Bilingual | undefined;
let timer: ReturnType<typeof setTimeout>;

/** One quiet line of the page, without React: it must speak when nothing more can be fetched. */
export function say(text: Bilingual): void {
  show(text, true);
  timer = setTimeout(() => show(standing), MOMENT);
}

/** Stands until it is taken back. */
export function keepSaying(text: Bilingual | undefined): void {
  if (text === standing) return;
  standing = text;
  show(text);
}

function show(text: Bilingual | undefined, good = false): void {
  clearTimeout(timer);
  const line = document.querySelector('.line');
  line?.toggleAttribute('data-good', good);
  if (!text) return line?.replaceChildren();
  const english = Object.assign(document.createElement('span'), { lang: 'en', textContent: text.en });
  line?.replaceChildren(text.es, english);
}
