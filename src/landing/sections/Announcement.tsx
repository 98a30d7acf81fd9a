import { announcement } from '../../content/announcement.ts';
import { claims } from '../../content/claims.ts';
import { Inline } from '../../ui/Inline.tsx';
import styles from './Announcement.module.css';

export function Announcement() {
  return (
    <aside className={`${styles['announcement']} night`} aria-label={announcement.label}>
      <p>
        <Inline text={announcement.text} />
      </p>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 .5H${claims.bookedPercent}`} />
      </svg>
    </aside>
  );
}
