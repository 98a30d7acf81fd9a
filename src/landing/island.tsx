import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName } from './islands.ts';
import { Hydrated } from '../ui/hydrate.tsx';

interface Props {
  readonly name: IslandName | 'voice';
  readonly of: ComponentType;
}

/**
 * Part of the page that React hydrates. Rendered apart from the page, so that `useId` gives the same ids at hydration.
 */
export function Island({ name, of: Component }: Props) {
  const html = renderToString(
    <Hydrated>
      <Component />
    </Hydrated>,
    { identifierPrefix: name },
  );
  return <div data-island={name} dangerouslySetInnerHTML={{ __html: html }} />;
}
