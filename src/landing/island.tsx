import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName } from './islands.ts';
import { Woken } from '../ui/wake.tsx';

interface Props {
  readonly name: IslandName | 'voice';
  readonly of: ComponentType;
}

/** Part of the page that needs script. A separate rendering gives React the same ids at hydration. */
export function Island({ name, of: Component }: Props) {
  const html = renderToString(
    <Woken>
      <Component />
    </Woken>,
    { identifierPrefix: name },
  );
  return <div data-island={name} dangerouslySetInnerHTML={{ __html: html }} />;
}
