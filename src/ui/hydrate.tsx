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

/** Resolves when the island handles events; then repeats a press on it that before-paint.ts recorded. */
export function hydrate(element: HTMLElement, Component: ComponentType): Promise<void> {
  return new Promise((resolve) => {
    const onReady = () => {
      element.dataset['awake'] = '';
      resolve();
      // The form repeats presses itself.
      if (element.matches('quote-form')) return;
      delete element.dataset['pressed'];
      element.pressed?.click();
    };
    // React queues presses from here on, so before-paint.ts must not record them too.
    element.dataset['live'] = '';
    hydrateRoot(
      // React does not render the form element itself, only a root inside it.
      element.querySelector('quote-form > div') ?? element,
      <Hydrated onReady={onReady}>
        <Component />
      </Hydrated>,
      { identifierPrefix: element.dataset['island']! },
    );
  });
}
