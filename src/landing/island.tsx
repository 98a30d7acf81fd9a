import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName } from './islands.ts';
import { Hydrated } from '../ui/hydrate.tsx';

interface Props {
  readonly name: IslandName | 'voice';
  readonly of: ComponentType;
}

/**
 * Island: part of the page in which React runs. It is rendered separately from the page, so that `useId` makes the same
 * ids in the browser.
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
