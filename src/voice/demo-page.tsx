import { openInternalPage } from '../internal-page.tsx';

export const open = () => openInternalPage('Icono de voz', VoiceIconDemo);

function VoiceIconDemo() {
  return (
    <main>
      <h1>Icono de voz</h1>
    </main>
  );
}
