import { Component, useEffect, useReducer, useState, type ComponentType, type ReactNode } from 'react';
import { map as words } from '../content/network.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { opening, type ButtonPresses } from './view.ts';
import { LOADING, LONGEST_LOADING, nextPhase } from './loading-phase.ts';
import styles from './NetworkMap.module.css';

/** The buttons are a separate file, which is much smaller than the map's and arrives earlier on a slow connection. */
const MapButtons = lazyPart(() => import('./MapButtons.tsx').then((module) => module.MapButtons));

export function NetworkMap() {
  const [phase, dispatch] = useReducer(nextPhase, LOADING);
  const [loaded, setLoaded] = useState<{
    readonly View: ComponentType<{ presses: ButtonPresses; onReady: () => void }>;
  }>();

  const [presses, setPresses] = useState<ButtonPresses>({ away: false, steps: 0 });

  useEffect(() => {
    const timer = setTimeout(() => dispatch('timeout'), LONGEST_LOADING);
    import('./MapView.tsx').then(
      ({ MapView }) => setLoaded({ View: MapView }),
      () => dispatch('error'),
    );
    return () => clearTimeout(timer);
  }, []);

  if (phase.kind === 'failed') return <Failure />;
  return (
    <Boundary onError={() => dispatch('error')}>
      {loaded && <loaded.View presses={presses} onReady={() => dispatch('ready')} />}
      {!loaded && phase.kind === 'forced' && (
        <MapButtons
          zoom={opening.zoom + presses.steps}
          onZoom={(by) => setPresses({ ...presses, steps: presses.steps + by, last: by })}
          away={presses.away}
          onChange={() => setPresses({ ...presses, away: !presses.away, last: 'view' })}
        />
      )}
      <p className={styles['note']} role="status">
        {phase.kind === 'forced' && <Inline text={words.forced} />}
      </p>
    </Boundary>
  );
}

function Failure() {
  const { title, heading, text, retry } = words.failed;
  return (
    <div className={`${styles['failure']} stub`} role="alert">
      <Bilingual as="h3" text={title} />
      <p>
        <b>
          <Inline text={heading} />
        </b>
      </p>
      <Bilingual text={text} />
      <button className="button" type="button" onClick={() => location.reload()}>
        <ButtonWords text={retry} />
      </button>
    </div>
  );
}

interface Props {
  readonly onError: () => void;
  readonly children: ReactNode;
}

/**
 * Removes the map after an error and reports the error to NetworkMap. React lets only class components catch errors.
 */
class Boundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    this.props.onError();
  }

  override render() {
    return this.state.broken ? null : this.props.children;
  }
}
