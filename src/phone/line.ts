import { mainWords, englishWords } from '../content/bilingual.ts';
import type { Bilingual } from '../content/bilingual.ts';

const MOMENT = 6000;

let lasting: Bilingual | undefined;
let timer: ReturnType<typeof setTimeout>;

/** One quiet line of the page, without React: it must speak when nothing more can be fetched. */
export function showForAMoment(text: Bilingual, isGood = true): void {
  show(text, isGood);
  timer = setTimeout(() => show(lasting), MOMENT);
}

/** The line shows this text again after each momentary one, until it is given another, or none. */
export function showUntilReplaced(text: Bilingual | undefined): void {
  if (text === lasting) return;
  lasting = text;
  show(text);
}

function show(text: Bilingual | undefined, good = false): void {
  clearTimeout(timer);
  const line = document.querySelector('.line');
  line?.toggleAttribute('data-good', good);
  if (!text) return line?.replaceChildren();
  const english = Object.assign(document.createElement('span'), { lang: 'en', textContent: englishWords(text) });
  line?.replaceChildren(mainWords(text), english);
}
