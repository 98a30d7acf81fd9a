import { voiceDemo } from '../content/voice-demo.ts';
import { openInternalPage } from '../ui/internal-page.tsx';

export const open = () =>
  openInternalPage(voiceDemo.title, () => import('./VoiceIconDemo.tsx').then((module) => module.VoiceIconDemo));
