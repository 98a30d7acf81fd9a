import styles from './NetworkStill.module.css';

/** The network as the map opens with it (build/drawings/network-still.ts): for no script, and until the map is there. */
export function NetworkStill() {
  return <img className={styles['still']} src="/network-still.svg" width="1200" height="720" loading="lazy" alt="" />;
}
