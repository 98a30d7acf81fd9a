import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';

/** A page of the house's own, in place of the landing (which base.css hides from the first paint on). */
export function openInternalPage(title: string, Page: ComponentType): void {
  document.title = title;
  const robots = Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex' });
  document.head.append(robots);
  const place = Object.assign(document.createElement('div'), { id: 'internal' });
  document.body.append(place);
  createRoot(place).render(<Page />);
}
