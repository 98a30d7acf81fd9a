import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName, When } from './islands.ts';
import { Woken } from '../ui/wake.tsx';

interface Props {
  readonly name: IslandName | 'voice';
  /** When it wakes: with the first other, or only at a touch; otherwise near the screen. A touch always wakes it. */
  readonly when?: Exclude<When, 'visible'>;
  readonly of: ComponentType;
}

/**
 * A part of the page that needs script. It is rendered apart from the page, as it will be hydrated,
 * so that the ids React makes come out the same on both sides.
 */
export function Island({ name, when, of: Component }: Props) {
  const html = renderToString(
    <Woken>
      <Component />
    </Woken>,
    { identifierPrefix: name },
  );
  return <div data-island={name} data-when={when} dangerouslySetInnerHTML={{ __html: html }} />;
}
