import html from 'virtual:stub';
import { FIELDS, OPTIONAL } from '../lead/fields.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import { hasBackgroundSync } from '../phone/background-sync.ts';
import { removeStub } from './current-stub.ts';
import '../ui/Fold.module.css';
import '../ui/FlightArc.module.css';
import './Receipt.module.css';

/** Shows the stub, a receipt of a stored quote that needs no React. */
export function showStub(quote: Quote, cargo: string, place: Element): HTMLElement {
  const template = document.createElement('template');
  template.innerHTML = html;
  const stub = template.content.firstElementChild as HTMLElement;
  const own: Record<string, string> = { folio: folioOf(quote.id), tipo_carga: cargo };
  for (const field of FIELDS) own[field] ??= (quote[field] ?? '').toLocaleString('es-MX');
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name]!);
  const texts = document.createTreeWalker(stub, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = fill(texts.currentNode.nodeValue!);
  for (const field of OPTIONAL) if (!(field in quote)) stub.querySelector(`[data-field=${field}]`)!.remove();
  // `setAttribute` is used because Firefox has `ariaLabel` only since version 119.
  stub.setAttribute('aria-label', fill(stub.getAttribute('aria-label')!));
  if (hasBackgroundSync) stub.querySelector('[data-only-open]')!.remove();
  removeStub();
  place.before(stub);
  stub.scrollIntoView({ block: 'start' });
  stub.focus({ preventScroll: true });
  return stub;
}
