import type { Bilingual } from '../content/bilingual.ts';
import { wordsOf } from '../ui/words.ts';

const MOMENT = 6000;

/** Status line at the edge of the screen. Works without React, because it appears when nothing can be fetched. */
function createStatusLine() {
  let lastingText: Bilingual | undefined;
  let timer: ReturnType<typeof setTimeout>;

  function show(text: Bilingual | undefined, good = false): void {
    clearTimeout(timer);
    const line = document.querySelector('.line');
    line?.toggleAttribute('data-good', good);
    line?.replaceChildren(...(text ? wordsOf(text) : []));
  }

  return {
    showForAMoment: (text: Bilingual, isGood = true): void => {
      show(text, isGood);
      timer = setTimeout(() => show(lastingText), MOMENT);
    },
    /** Shows a text until the next call of this function, and again after each text that is shown for a moment. */
    showUntilReplaced: (text: Bilingual | undefined): void => {
      if (text === lastingText) return;
      lastingText = text;
      show(text);
    },
  };
}

export const { showForAMoment, showUntilReplaced } = createStatusLine();
