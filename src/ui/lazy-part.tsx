import { useEffect, useState, type ComponentType } from 'react';

const TRY_AGAIN = 3000;

/** Part with its own chunk, loaded when first shown. Without signal it stays empty and breaks nothing. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function LazyPart(props) {
    const [, setShown] = useState(false);
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout>;
      const tryLoad = () =>
        load().then(
          (component) => {
            Loaded = component;
            setShown(true);
          },
          () => (timer = setTimeout(() => void tryLoad(), TRY_AGAIN)),
        );
      if (!Loaded) void tryLoad();
      return () => clearTimeout(timer);
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
