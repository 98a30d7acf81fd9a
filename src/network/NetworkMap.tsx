import { Component, useEffect, useReducer, useState, type ComponentType, type ReactNode } from 'react';
import { map as words } from '../content/network.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { LOADING, LONGEST_LOADING, nextPhase } from './phases.ts';
import styles from './NetworkMap.module.css';

/** Lies over the still picture and, once Leaflet has come, covers it. */
export function NetworkMap() {
  const [phase, dispatch] = useReducer(nextPhase, LOADING);
  const [loaded, setLoaded] = useState<{ readonly View: ComponentType<{ onReady: () => void }> }>();

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
      {loaded && <loaded.View onReady={() => dispatch('ready')} />}
      <p className={styles['note']} role="status">
        {phase.kind === 'forced' && words.forced}
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

/** Only a class can hear of an error in what it shows. */
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
