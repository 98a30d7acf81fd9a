import { useEffect, useState, type ComponentType } from 'react';
import { deskSession as words } from '../content/desk-session.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Button } from '../ui/Button.tsx';

/**
 * Makes a component whose chunk loads when the component is shown, because few people need it. If a newer release has
 * replaced the chunk, reloading the page helps.
 */
function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function LazyPart(props) {
    const [{ Part, hasFailed }, set] = useState<{ Part?: ComponentType<Props>; hasFailed?: true }>({});
    useEffect(() => {
      load().then(
        (loaded) => set({ Part: loaded }),
        () => set({ hasFailed: true }),
      );
    }, []);
    if (hasFailed)
      return (
        <div role="alert">
          <Bilingual text={words.notLoaded} />
          <Button words={words.reload} onClick={() => location.reload()} />
        </div>
      );
    return Part ? <Part {...props} /> : null;
  };
}

export const FactorScreen = lazyPart(() => import('./factor/FactorScreen.tsx').then((module) => module.FactorScreen));
export const EnrolScreen = lazyPart(() => import('./factor/EnrolScreen.tsx').then((module) => module.EnrolScreen));
export const SecurityDialog = lazyPart(() =>
  import('./factor/SecurityDialog.tsx').then((module) => module.SecurityDialog),
);

export const ImportDialog = lazyPart(() => import('./imports/ImportDialog.tsx').then((module) => module.ImportDialog));

export const WebhooksDialog = lazyPart(() =>
  import('./figures/WebhooksDialog.tsx').then((module) => module.WebhooksDialog),
);
