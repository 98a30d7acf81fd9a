import { useEffect, useState } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { answerAlerts as words } from '../content/answer-alerts.ts';
import { pushAddress, subscribe, unsubscribe, wayToPush } from '../phone/push.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { fetchPushKey, registerDevice } from '../outbox/delivery.ts';

type State = 'off' | 'busy' | 'on' | 'failed';

/** Under a quote that was delivered and waits for its answer. The browser asks nothing before it is pressed. */
export function AnswerAlert({ id }: { readonly id: string }) {
  const [registration, setRegistration] = useState<ServiceWorkerRegistration>();
  const [state, setState] = useState<State>('off');
  const way = wayToPush();

  useEffect(() => {
    let gone = false;
    const look = async () => {
      if (wayToPush() !== 'possible') return;
      // It may be on its way, with the first visit.
      const worker = await navigator.serviceWorker.ready;
      const address = await pushAddress(worker);
      if (gone) return;
      setRegistration(worker);
      // Whoever asked for it with an earlier quote has asked for it.
      if (address && (await registerDevice(id, address)) && !gone) setState('on');
    };
    look().catch(() => undefined);
    return () => void (gone = true);
  }, [id]);

  async function turnOn() {
    setState('busy');
    // First of all: an iPhone asks nobody once the press is over.
    if ((await Notification.requestPermission()) !== 'granted') return setState('off');
    try {
      const key = await fetchPushKey();
      const done = key !== undefined && (await registerDevice(id, await subscribe(registration!, key)));
      setState(done ? 'on' : 'failed');
    } catch {
      setState('failed');
    }
  }

  async function turnOff() {
    await unsubscribe(registration!).catch(() => undefined);
    setState('off');
  }

  if (way === 'install-first') return <Line text={words.installFirst} />;
  if (way === 'denied') return <Line text={words.denied} />;
  if (!registration) return null;
  return (
    <div>
      <div role="status">
        {state === 'on' && <Line text={words.on} />}
        {state === 'failed' && <Line text={words.failed} />}
      </div>
      <button
        className="button plain"
        type="button"
        aria-disabled={state === 'busy'}
        onClick={() => state !== 'busy' && void (state === 'on' ? turnOff() : turnOn())}
      >
        <ButtonWords text={state === 'on' ? words.off : words.offer} />
      </button>
    </div>
  );
}

function Line({ text }: { readonly text: Bilingual }) {
  return (
    <p>
      <Inline text={text} />
    </p>
  );
}
