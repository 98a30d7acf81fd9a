import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { documents as about } from '../content/document.ts';
import { Head } from './Head.tsx';
import { Island } from './island.tsx';
import { LaterParts, NotFoundPage, Page, PrivacyPage, TermsPage } from './page.tsx';
import { VoiceWidget } from '../voice/VoiceWidget.tsx';

interface Rendered {
  readonly head: string;
  readonly body: string;
  readonly later: string;
}

/** Each document of the site: its file, and what goes into it. */
export function documents(): Record<string, Rendered> {
  return {
    'index.html': render(<Head {...about.landing} address="/" />, <Page />, <LaterParts />),
    'privacidad.html': render(<Head {...about.privacy} address="/privacidad.html" />, <PrivacyPage />),
    'terminos.html': render(<Head {...about.terms} address="/terminos.html" />, <TermsPage />),
    '404.html': render(<Head {...about.notFound} />, <NotFoundPage />),
  };
}

/** The part that comes into the page when it is idle: seen without React, which comes when it is touched. */
export const voice = (): string => renderToStaticMarkup(<Island name="voice" when="touch" of={VoiceWidget} />);

/** The page itself is never hydrated, only its islands are: React's marks in it would be dead weight. */
function render(head: ReactNode, body: ReactNode, later?: ReactNode): Rendered {
  return {
    head: renderToStaticMarkup(head),
    body: renderToStaticMarkup(body),
    later: renderToStaticMarkup(later),
  };
}
