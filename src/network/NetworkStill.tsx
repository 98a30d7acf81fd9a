import styles from './NetworkStill.module.css';

/**
 * Picture of the map's first view (build/drawings/network-still.ts). It is shown without scripts, and until the map has
 * loaded.
 */
export function NetworkStill() {
  return <img className={styles['still']} src="/network-still.svg" width="1200" height="720" loading="lazy" alt="" />;
}
