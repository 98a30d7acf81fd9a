import type { Bilingual } from '../content/bilingual.ts';
import { wordsOf } from '../ui/words.ts';

const MOMENT = 6000;

/**
 * Line at the edge of the screen with news such as a lost connection. The line works without React, because
 * React could not be fetched without a connection.
 */
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
    /** Shows a text until this function is called again. `showForAMoment` hides that text only for a moment. */
    showUntilReplaced: (text: Bilingual | undefined): void => {
      if (text === lastingText) return;
      lastingText = text;
      show(text);
    },
  };
}

export const { showForAMoment, showUntilReplaced } = createStatusLine();
