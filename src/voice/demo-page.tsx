import { voiceDemo } from '../content/voice-demo.ts';
import { openInternalPage } from '../internal-page.tsx';

export const open = () => openInternalPage(voiceDemo.title, VoiceIconDemo);

function VoiceIconDemo() {
  return (
    <main>
      <h1>{voiceDemo.title}</h1>
    </main>
  );
}
