import voice from 'virtual:call-button';
import { never, startIsland } from '../ui/hydration.ts';
import { startHints } from './hints.ts';
import { avoidControls } from './avoid-controls.ts';
// The build puts this style sheet into one file with the button's other styles (build/chunks.ts).
import styles from './VoiceIcon.module.css';

/**
 * Adds the call button when the rest of the page has loaded. It is not part of the built page, because it is useless
 * without scripts. React loads at the first touch. `onNoLine`: called if the code for a pressed button cannot be
 * loaded.
 */
export function startVoice(onNoLine: () => void): void {
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = voice;
  const island = place.querySelector<HTMLElement>('[data-island]')!;
  const button = island.querySelector<HTMLElement>(`.${styles['button']}`)!;
  startHints(island, button);
  avoidControls(island, button);
  // The code of the call starts to load when the pointer comes over the button, before the press.
  button.addEventListener('pointerenter', () => island.dispatchEvent(new Event('pointerdown')));
  void startIsland(island, {
    due: never,
    async load() {
      try {
        return (await import('./VoiceWidget.tsx')).VoiceWidget;
      } catch (error) {
        if (island.pressed) onNoLine();
        // The recorded press is deleted, because otherwise the call would start much later, when the connection comes
        // back.
        delete island.pressed;
        delete island.dataset['pressed'];
        throw error;
      }
    },
  });
}
