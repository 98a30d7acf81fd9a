import { useEffect, type ComponentType, type ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';

interface Props {
  readonly children: ReactNode;
  readonly onReady?: () => void;
}

export function Hydrated({ children, onReady }: Props) {
  useEffect(() => onReady?.(), [onReady]);
  return children;
}

/**
 * Starts React in an island. Resolves when the island reacts to events, and repeats a press that before-paint.ts
 * recorded.
 */
export function hydrate(element: HTMLElement, Component: ComponentType): Promise<void> {
  return new Promise((resolve) => {
    const onReady = () => {
      element.dataset['awake'] = '';
      resolve();
      // The form's own code repeats presses on the form.
      if (element.matches('quote-form')) return;
      delete element.dataset['pressed'];
      element.pressed?.click();
    };
    // From here on React remembers presses, so before-paint.ts must no longer record them.
    element.dataset['live'] = '';
    hydrateRoot(
      // React does not control the form itself, only the `div` beside it.
      element.querySelector('quote-form > div') ?? element,
      <Hydrated onReady={onReady}>
        <Component />
      </Hydrated>,
      { identifierPrefix: element.dataset['island']! },
    );
  });
}
