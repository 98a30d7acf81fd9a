import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mainWords } from '../content/bilingual.ts';
import { documents as about } from '../content/document.ts';
import { receipt } from '../content/quote-states.ts';
import { fieldWords } from '../content/fields.ts';
import { byField } from '../lead/fields.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import { newEntry } from '../outbox/new-entry.ts';
import { Receipt } from '../receipts/Receipt.tsx';
import { Head } from './Head.tsx';
import { Island } from './island.tsx';
import { posted } from './posted.tsx';
import { LaterParts, NotFoundPage, Page, PrivacyPage, TermsPage } from './page.tsx';
import { VoiceWidget } from '../voice/VoiceWidget.tsx';

interface Rendered {
  readonly head: string;
  readonly body: string;
  readonly later: string;
}

/** Returns head and body of each document of the site, by file name. */
export function documents(): Record<string, Rendered> {
  return {
    'index.html': render(<Head {...about.landing} address="/" />, <Page />, <LaterParts />),
    'privacidad.html': render(<Head {...about.privacy} address="/privacidad.html" />, <PrivacyPage />),
    'terminos.html': render(<Head {...about.terms} address="/terminos.html" />, <TermsPage />),
    '404.html': render(<Head {...about.notFound} />, <NotFoundPage />),
  };
}

export { posted };

/** Returns the markup of the call button. A script inserts it when the page is idle, and a touch starts React in it. */
export const voice = (): string => renderToStaticMarkup(<Island name="voice" of={VoiceWidget} />);

/**
 * Returns the stub, a receipt that is shown before React has loaded. src/receipts/show-stub.ts replaces the
 * placeholders in braces.
 */
export function stub(): string {
  const id = '00000000-0000-4000-8000-000000000000';
  const quote = { ...byField((field) => `{${field}}`), id, tipo_carga: 'general' } as unknown as Quote;
  return (
    renderToStaticMarkup(<Receipt entry={newEntry(quote, 0)} isNew />)
      .replaceAll(folioOf(id), '{folio}')
      // The stub's buttons are disabled, because they work only with React.
      .replaceAll('<button ', '<button disabled ')
      .replace(mainWords(fieldWords.tipo_carga.choices.general), '{tipo_carga}')
      .replace(`<p><span>${mainWords(receipt.onlyOpen)}`, (line) => line.replace('<p', '<p data-only-open'))
  );
}

/** Renders a document as static HTML, without the markers that React needs: React runs only in the islands. */
function render(head: ReactNode, body: ReactNode, later?: ReactNode): Rendered {
  return {
    head: renderToStaticMarkup(head),
    body: renderToStaticMarkup(body),
    later: renderToStaticMarkup(later),
  };
}
