import { createRoot } from 'react-dom/client';
import { VoiceWidget } from './VoiceWidget.tsx';

/** After everything else of the page. Without its script a call button would be of no use, so the document has none. */
export function startVoice(): void {
  const place = document.body.appendChild(document.createElement('div'));
  createRoot(place).render(<VoiceWidget />);
}
