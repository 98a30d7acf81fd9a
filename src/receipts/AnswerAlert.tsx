import { useEffect, useState } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { answerAlerts as words } from '../content/answer-alerts.ts';
import { alertToo, alertedQuotes, turnAlertsOff, turnAlertsOn } from '../phone/answer-alerts.ts';
import { wayToPush } from '../phone/push.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';

type AlertState = 'idle' | 'busy' | 'failed';

/** Says why this browser cannot give alerts about answers; empty if it can. */
export function NoAlert() {
  const way = wayToPush();
  if (way === 'install-first') return <Line text={words.installFirst} />;
  return way === 'denied' ? <Line text={words.denied} /> : null;
}

/**
 * Button that turns alerts on for a delivered quote without an answer. The browser asks for permission only after the
 * press.
 */
export function AnswerAlert({ id }: { readonly id: string }) {
  const [registration, setRegistration] = useState<ServiceWorkerRegistration>();
  const [state, setState] = useState<AlertState>('idle');
  const [wasPressed, setPressed] = useState(false);
  const isOn = useStore(alertedQuotes).ids.includes(id);
  const way = wayToPush();

  useEffect(() => {
    let isUnmounted = false;
    const prepare = async () => {
      if (wayToPush() !== 'possible') return;
      // During a first visit the worker may still be installing, so the button waits for it.
      const worker = await navigator.serviceWorker.ready;
      await alertToo(id, worker);
      if (!isUnmounted) setRegistration(worker);
    };
    prepare().catch(() => undefined);
    return () => void (isUnmounted = true);
  }, [id]);

  async function turnOn() {
    setPressed(true);
    setState('busy');
    // Safari on iPhones asks for permission only directly after a press, so there must be no `await` before this line.
    if ((await Notification.requestPermission()) !== 'granted') return setState('idle');
    const done = await turnAlertsOn(id, registration!).catch(() => false);
    setState(done ? 'idle' : 'failed');
  }

  // If the visitor refuses the permission, a text takes the button's place.
  if (!registration || (way !== 'possible' && !(way === 'denied' && wasPressed))) return null;
  return (
    <div>
      <div role="status" tabIndex={-1}>
        {way === 'denied' && <Line text={words.denied} />}
        {isOn && <Line text={words.on} />}
        {state === 'failed' && <Line text={words.failed} />}
      </div>
      {way === 'possible' && (
        <button
          ref={passFocusOn}
          className={isOn ? 'button plain' : 'button'}
          type="button"
          aria-disabled={state === 'busy'}
          onClick={() => state !== 'busy' && void (isOn ? turnAlertsOff(registration) : turnOn())}
        >
          <ActionLabel text={isOn ? words.off : words.offer} />
        </button>
      )}
    </div>
  );
}

const passFocusOn = passFocus((button) => button.previousElementSibling);

function Line({ text }: { readonly text: Bilingual }) {
  return (
    <p>
      <Inline text={text} />
    </p>
  );
}
