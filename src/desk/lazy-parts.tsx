import { useEffect, useState, type ComponentType } from 'react';
import { deskSession as words } from '../content/desk-session.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Button } from '../ui/Button.tsx';

/**
 * Makes a component whose chunk loads when the component is shown, because few people need it. If the chunk cannot be
 * loaded, for example after a newer release has removed it, the component offers to reload the page.
 */
function lazyOrReload<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function LazyOrReload(props) {
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

export const FactorScreen = lazyOrReload(() =>
  import('./factor/FactorScreen.tsx').then((module) => module.FactorScreen),
);
export const EnrolScreen = lazyOrReload(() => import('./factor/EnrolScreen.tsx').then((module) => module.EnrolScreen));
export const SecurityDialog = lazyOrReload(() =>
  import('./factor/SecurityDialog.tsx').then((module) => module.SecurityDialog),
);

export const ImportDialog = lazyOrReload(() =>
  import('./imports/ImportDialog.tsx').then((module) => module.ImportDialog),
);

export const WebhooksDialog = lazyOrReload(() =>
  import('./figures/WebhooksDialog.tsx').then((module) => module.WebhooksDialog),
);
