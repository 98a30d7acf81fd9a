import voice from 'virtual:call-button';
import { never, startIsland } from '../ui/hydration.ts';
import { startHints } from './hints.ts';
import { avoidControls } from './avoid-controls.ts';
// The build bundles this style sheet with the other styles of the button (build/chunks.ts).
import styles from './VoiceIcon.module.css';

/**
 * Adds the call button once the rest of the page has loaded; React loads at the first touch. A script adds the button,
 * because it is useless without scripts. `onNoLine`: called if the script of a pressed button fails to load.
 */
export function startVoice(onNoLine: () => void): void {
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = voice;
  const island = place.querySelector<HTMLElement>('[data-island]')!;
  const button = island.querySelector<HTMLElement>(`.${styles['button']}`)!;
  startHints(island, button);
  avoidControls(island, button);
  // The widget's code starts to load when a pointer enters the button, before the press.
  button.addEventListener('pointerenter', () => island.dispatchEvent(new Event('pointerdown')));
  void startIsland(island, {
    due: never,
    async load() {
      try {
        return (await import('./VoiceWidget.tsx')).VoiceWidget;
      } catch (error) {
        if (island.pressed) onNoLine();
        // A press is deleted when its script fails to load, or it would start a call later, when the connection
        // returns.
        delete island.pressed;
        delete island.dataset['pressed'];
        throw error;
      }
    },
  });
}
