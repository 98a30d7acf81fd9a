import { useState } from 'react';
import { deskTeam } from '../../content/desk-team.ts';
import type { Bilingual } from '../../content/bilingual.ts';
import { Bilingual as Says } from '../../ui/Bilingual.tsx';
import { useStore } from '../../ui/store.ts';
import { wayToPush } from '../../phone/push.ts';
import { alerts, isPushed, setAlerts, type Alerts } from './alerts.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { testAlerts, turnPush } from './push.ts';

const words = deskTeam.alerts;
const WAYS = ['sound', 'count', 'notification'] as const;

export function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const now = useStore(alerts);
  const pushed = useStore(isPushed);
  const [trouble, setTrouble] = useState<Bilingual>();
  // Position of the push switch while the request to the push service runs; undefined otherwise.
  const [turning, setTurning] = useState<boolean>();
  const possible = wayToPush();

  async function set(way: keyof Alerts, on: boolean) {
    if (way === 'notification' && on) {
      const granted = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
      setTrouble(granted ? undefined : words.denied);
      if (!granted) return;
    }
    setAlerts({ [way]: on });
  }

  async function setPush(on: boolean) {
    setTrouble(undefined);
    setTurning(on);
    setTrouble(await turnPush(on));
    setTurning(undefined);
  }

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={<Button words={words.test} onClick={() => void testAlerts().then(setTrouble)} />}
    >
      {WAYS.map((way) => (
        <Choice
          key={way}
          label={words[way]}
          checked={now[way]}
          onChange={(event) => void set(way, event.target.checked)}
        />
      ))}
      {possible === 'install-first' ? (
        <Says text={words.installFirst} />
      ) : (
        possible && (
          <Choice
            label={words.push}
            checked={turning ?? pushed}
            aria-disabled={turning !== undefined}
            onChange={(event) => turning === undefined && void setPush(event.target.checked)}
          />
        )
      )}
      <div role="alert">{trouble && <Says text={trouble} />}</div>
    </Dialog>
  );
}
