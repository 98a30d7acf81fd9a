import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandName, When } from './islands.ts';
import { Woken } from '../ui/wake.tsx';

interface Props {
  readonly name: IslandName | 'voice';
  /** Moment of hydration: with the first other island or at a touch only; by default near the screen. A touch always counts. */
  readonly when?: Exclude<When, 'visible'>;
  readonly of: ComponentType;
}

/** Part of the page that needs script. A separate rendering gives React the same ids at hydration. */
export function Island({ name, when, of: Component }: Props) {
  const html = renderToString(
    <Woken>
      <Component />
    </Woken>,
    { identifierPrefix: name },
  );
  return <div data-island={name} data-when={when} dangerouslySetInnerHTML={{ __html: html }} />;
}
