import { useState } from 'react';
import { desk } from '../content/desk.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import { alerts, setAlerts, type Alerts } from './alerts.ts';
import styles from './AlertsDialog.module.css';
import { Dialog } from './Dialog.tsx';

const words = desk.alerts;
const WAYS = ['sound', 'count', 'notification'] as const;

export function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const now = useStore(alerts);
  const [isDenied, setDenied] = useState(false);

  async function set(way: keyof Alerts, on: boolean) {
    if (way === 'notification' && on) {
      const granted = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
      setDenied(!granted);
      if (!granted) return;
    }
    setAlerts({ [way]: on });
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      {WAYS.map((way) => (
        <label key={way} className={styles['way']}>
          <input type="checkbox" checked={now[way]} onChange={(event) => void set(way, event.target.checked)} />
          <span>
            <Inline text={words[way]} />
          </span>
        </label>
      ))}
      <div role="alert">{isDenied && <Bilingual text={words.denied} />}</div>
    </Dialog>
  );
}
