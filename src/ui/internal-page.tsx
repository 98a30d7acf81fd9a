import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { lazyPart } from './lazy-part.tsx';

/**
 * Opens an internal page. base.css hides the public page from the first paint on. This file is separate, so that the
 * loader does not contain React.
 */
export function openInternalPage(title: string, load: () => Promise<ComponentType>): void {
  document.title = title;
  const robots = Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex' });
  document.head.append(robots);
  const place = Object.assign(document.createElement('div'), { id: 'internal' });
  document.body.append(place);
  const Page = lazyPart(load);
  createRoot(place).render(<Page />);
}
