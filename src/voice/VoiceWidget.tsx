import { useEffect, useRef, useState } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { voice as words } from '../content/voice.ts';
import { setBusy } from '../phone/busy.ts';
import { isSavingData } from '../phone/is-saving-data.ts';
import { createStore } from '../ui/create-store.ts';
import { useStore } from '../ui/store.ts';
import { useOnline } from '../ui/use-online.ts';
import { Announcer } from './Announcer.tsx';
import { call, preload } from './assistant.ts';
import { Bubbles } from './Bubbles.tsx';
import { NO_CALL } from './call.ts';
import { consent } from './consent.ts';
import type { CallEnding } from './machine.ts';
import { announcementOf, type Obstacle } from './panel-messages.ts';
import { StatusPill } from './StatusPill.tsx';
import { canCall } from './device-support.ts';
import { Transcript } from './Transcript.tsx';
import { VoiceIcon } from './VoiceIcon.tsx';
import { VoicePanel } from './VoicePanel.tsx';

const view = call?.view ?? createStore(NO_CALL);

export function VoiceWidget() {
  const callView = useStore(view);
  const { state, transcript, interrupted } = callView;
  const online = useOnline();
  const [obstacle, setObstacle] = useState<Obstacle>();
  const [dismissed, setDismissed] = useState<CallEnding>();
  const button = useRef<HTMLButtonElement>(null);

  const ending = state.kind === 'idle' ? state.ending : undefined;
  const failure = ending?.kind === 'failed' && ending !== dismissed ? ending.failure : undefined;
  // The message about the lost connection disappears when the connection comes back.
  if (obstacle === 'offline' && online) setObstacle(undefined);
  const panel = obstacle ?? failure;
  const isActive = state.kind !== 'idle' && state.kind !== 'initializing';
  const isOffline = state.kind === 'idle' && !online;

  // A visitor who touched this button will probably call, so the library is loaded now, except in data saver mode.
  useEffect(warmUp, []);
  // During a call the page counts as busy: it must not be reloaded for a new release.
  const isOn = state.kind !== 'idle';
  useEffect(() => {
    setBusy('call', isOn);
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOn]);

  function press() {
    if (state.kind === 'initializing') return;
    if (isActive) return call?.stop();
    setDismissed(ending);
    const newObstacle = obstacleToCall();
    setObstacle(newObstacle === panel ? undefined : newObstacle);
    if (newObstacle) return;
    call?.start();
  }

  function accept() {
    consent.give();
    close();
    press();
  }

  function close() {
    setObstacle(undefined);
    setDismissed(ending);
  }

  return (
    <section aria-label={mainWords(words.label)}>
      <VoiceIcon
        isActive={isActive}
        isListening={state.kind === 'listening'}
        isSpeaking={state.kind === 'speaking'}
        ref={button}
        size="large"
        position="bottom-right"
        label={
          words.button[isActive ? 'active' : isOffline ? 'offline' : state.kind === 'idle' ? 'idle' : 'initializing']
        }
        volume={isActive ? state.volume : 0}
        data-offline={isOffline || undefined}
        aria-disabled={state.kind === 'initializing'}
        aria-expanded={panel !== undefined}
        aria-description={
          state.kind === 'idle' ? `${mainWords(words.hint.title)} ${mainWords(words.hint.text)}` : undefined
        }
        onClick={press}
        onPointerEnter={warmUp}
        onFocus={warmUp}
      >
        {panel && <VoicePanel about={panel} button={button} onAccept={accept} onClose={close} />}
        {state.kind !== 'idle' && (
          <StatusPill
            state={state}
            interrupted={interrupted}
            button={button}
            onStop={() => call?.stop()}
            onMute={(muted) => call?.setMuted(muted)}
          />
        )}
        {(isOn || transcript.length > 0) && (
          <Transcript
            sentences={transcript}
            button={button}
            onClose={isOn ? undefined : () => call?.forgetTranscript()}
          />
        )}
        <Bubbles />
      </VoiceIcon>
      <Announcer text={announcementOf(callView, panel)} />
    </section>
  );
}

function obstacleToCall(): Obstacle | undefined {
  if (!call || !canCall()) return 'unavailable';
  if (!navigator.onLine) return 'offline';
  return consent.isGiven() ? undefined : 'consent';
}

function warmUp(): void {
  if (navigator.onLine && !isSavingData()) preload();
}
