import { useEffect, type ComponentType, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

interface Props {
  readonly children: ReactNode;
  readonly onReady?: () => void;
}

export function Woken({ children, onReady }: Props) {
  useEffect(() => onReady?.(), [onReady]);
  return children;
}

/** Resolves when the island handles events. */
export function hydrate(element: HTMLElement, Component: ComponentType): Promise<void> {
  return new Promise((resolve) => {
    // From here on React queues presses itself; before-paint.ts must not replay them too.
    element.dataset['heard'] = '';
    hydrateRoot(
      // The form element is not rendered by React, which has its own root in it.
      element.querySelector('quote-form > div') ?? element,
      <Woken onReady={resolve}>
        <Component />
      </Woken>,
      { identifierPrefix: element.dataset['island']! },
    );
  });
}
