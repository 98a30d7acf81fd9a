import { useState } from 'react';
import { englishWords, mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { wayToPush } from '../../phone/push.ts';
import { Chip } from '../../ui/Button.tsx';
import { useStore } from '../../ui/store.ts';
import { persistedText } from '../../phone/persisted.ts';
import { refreshPresence, isNobodyReached, reach, reachInWords } from './presence.ts';
import { turnPush } from './push.ts';
import styles from './TeamLine.module.css';

const words = deskTeam.reach;
const storedDay = persistedText('aeropuente.desk.alerts-put-aside');
const today = () => new Date().toDateString();

/**
 * Line with the colleagues who are online, and a warning if no device would get an alert. A button hides the warning
 * for a day.
 */
export function TeamLine() {
  const team = useStore(reach);
  const [dismissedOn, setDismissedOn] = useState(storedDay.get);
  const [fault, setFault] = useState<Bilingual>();
  if (!team) return null;
  const text = reachInWords(team);
  return (
    <div className={styles['team']}>
      <p title={englishWords(text)}>{mainWords(text)}</p>
      {isNobodyReached(team) && dismissedOn !== today() && (
        <div className={styles['unreached']}>
          <p title={englishWords(words.unreached)}>{mainWords(fault ?? words.unreached)}</p>
          {wayToPush() === 'possible' && (
            <Chip onClick={() => void turnPush(true).then(setFault).then(refreshPresence)}>
              {mainWords(words.turnOn)}
            </Chip>
          )}
          <Chip
            onClick={() => {
              storedDay.set(today());
              setDismissedOn(today());
            }}
          >
            {mainWords(words.putAside)}
          </Chip>
        </div>
      )}
    </div>
  );
}
