import voice from 'virtual:call-button';
import { wake, wakeOthers } from '../ui/waking.ts';
import { startHints } from './hints.ts';
import { avoidForm } from './avoid-form.ts';
// With the rest of what dresses the button (build/chunks.ts).
import styles from './VoiceIcon.module.css';

/**
 * After everything else of the page, and without React until it is touched. Without script a call button would be of
 * no use, so the document has none. `onNoLine`: it was pressed, and its part did not come.
 */
export function startVoice(onNoLine: () => void): void {
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = voice;
  const island = place.querySelector<HTMLElement>('[data-island]')!;
  const button = island.querySelector<HTMLElement>(`.${styles['button']}`)!;
  startHints(island, button);
  avoidForm(island);
  const touched = () => {
    for (const type of TOUCHES) button.removeEventListener(type, touched);
    wakeOthers();
    void wake(island, async () => {
      try {
        return (await import('./VoiceWidget.tsx')).VoiceWidget;
      } catch (error) {
        if (island.pressed) onNoLine();
        // Nobody expects a call any more that they asked for before the signal went.
        delete island.pressed;
        delete island.dataset['pressed'];
        throw error;
      }
    });
  };
  for (const type of TOUCHES) button.addEventListener(type, touched);
}

const TOUCHES = ['pointerenter', 'pointerdown', 'focus', 'click'];
