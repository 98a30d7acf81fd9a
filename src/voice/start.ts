import voice from 'virtual:call-button';
import { hydrateIsland, hydrateOthers } from '../ui/hydration.ts';
import { startHints } from './hints.ts';
import { avoidControls } from './avoid-controls.ts';
// Bundled with the other styles of the button (build/chunks.ts).
import styles from './VoiceIcon.module.css';

/**
 * Starts the call button after the rest of the page; React loads at the first touch. A script adds the button, because
 * it is useless without scripts. `onNoLine`: called when the script of a pressed button could not load.
 */
export function startVoice(onNoLine: () => void): void {
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = voice;
  const island = place.querySelector<HTMLElement>('[data-island]')!;
  const button = island.querySelector<HTMLElement>(`.${styles['button']}`)!;
  startHints(island, button);
  avoidControls(island, button);
  const touched = () => {
    for (const type of TOUCHES) button.removeEventListener(type, touched);
    hydrateOthers();
    void hydrateIsland(island, async () => {
      try {
        return (await import('./VoiceWidget.tsx')).VoiceWidget;
      } catch (error) {
        if (island.pressed) onNoLine();
        // A press from before the signal was lost must not start a call later.
        delete island.pressed;
        delete island.dataset['pressed'];
        throw error;
      }
    });
  };
  for (const type of TOUCHES) button.addEventListener(type, touched);
}

const TOUCHES = ['pointerenter', 'pointerdown', 'focus', 'click'];
