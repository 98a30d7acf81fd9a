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

/** Resolves when the island listens. */
export function hydrate(element: HTMLElement, Component: ComponentType): Promise<void> {
  return new Promise((resolve) => {
    // From here on React hears each press, though it does the rest later: what before-paint.ts kept as well would be two.
    element.dataset['heard'] = '';
    hydrateRoot(
      // The form is not React's: React has a place of its own in it.
      element.querySelector('quote-form > div') ?? element,
      <Woken onReady={resolve}>
        <Component />
      </Woken>,
      { identifierPrefix: element.dataset['island']! },
    );
  });
}
