import { useEffect, useState, type ComponentType } from 'react';

const TRY_AGAIN = 3000;

/**
 * Returns a component whose code is a separate file, loaded when it is first shown. Until the file arrives the
 * component is empty.
 */
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
