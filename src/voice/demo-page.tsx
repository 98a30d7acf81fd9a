import { voiceDemo } from '../content/voice-demo.ts';
import { openInternalPage } from '../ui/internal-page.tsx';
import { later } from '../ui/later.tsx';

// Apart, so that the loader need not name all that it consists of.
const VoiceIconDemo = later(() => import('./VoiceIconDemo.tsx').then((module) => module.VoiceIconDemo));

export const open = () => openInternalPage(voiceDemo.title, VoiceIconDemo);
