import type { Bilingual as Text } from '../content/bilingual.ts';
import { deskFigures } from '../content/desk-figures.ts';
import { deskList as words } from '../content/desk-list.ts';
import { deskNew } from '../content/desk-new.ts';
import { deskSession } from '../content/desk-session.ts';
import { deskSystem } from '../content/desk-system.ts';
import { deskTeam } from '../content/desk-team.ts';
import { controls } from '../content/controls.ts';
import { timeInTijuana } from '../lead/tijuana.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Button } from '../ui/Button.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Menu } from '../ui/Menu.tsx';
import { useStore } from '../ui/store.ts';
import { feed } from './api/lead-feed.ts';
import { hasSystemStatus } from './api/system-status.ts';
import { useDesk } from './context.ts';
import styles from './Desk.module.css';
import type { DialogName } from './DeskDialogs.tsx';

const MORE = [
  ['figures', deskFigures.open],
  ['steps', words.importSteps],
  ['alerts', deskTeam.alerts.open],
  ['security', deskSession.security],
  ['keys', words.keys.open],
] as const;

/** Menu entries that only supervisors see. They are about the embedded server. */
const OF_SERVER = [
  ['system', deskSystem.open],
  ['webhooks', deskSystem.webhooks],
] as const;

interface Props {
  readonly onOpen: (dialog: DialogName) => void;
  readonly onLeave: () => void;
}

/** Bar at the top: whether the list is up to date, a button for a new lead, and a menu. */
export function DeskBar({ onOpen, onLeave }: Props) {
  const { me } = useDesk();
  const { isFresh, readAt } = useStore(feed);
  const entry = ([dialog, what]: readonly [DialogName, Text]) => ({ words: what, onPress: () => onOpen(dialog) });
  return (
    <header className={`night ${styles['bar']}`}>
      <h1 className={styles['title']}>
        <Inline text={deskSession.title} />
      </h1>
      <p
        className={`${styles['fresh']} ${styles['dot']}`}
        data-fresh={isFresh && readAt ? '' : undefined}
        data-stale={isFresh ? undefined : ''}
        role="status"
      >
        <Bilingual as="span" text={freshness(isFresh, readAt)} />
      </p>
      <p className={styles['person']}>{me.name}</p>
      <Button words={deskNew.open} onClick={() => onOpen('new')} />
      <Menu
        words={controls.more}
        face="bars"
        items={[
          ...MORE.map(entry),
          ...(hasSystemStatus && me.isSupervisor ? OF_SERVER : []).map(entry),
          { words: deskSession.leave.open, onPress: onLeave },
        ]}
      />
    </header>
  );
}

function freshness(isFresh: boolean, readAt: number | undefined): Text {
  if (isFresh) return readAt ? words.fresh : words.asking;
  return readAt ? words.stale(timeInTijuana(readAt)) : words.neverHeard;
}
