import { useRef, useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFactor } from '../../content/desk-factor.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { enrolPasskey, hasPasskeys, newRecoveryCodes, passCode } from '../api/factors.ts';
import { SessionForm } from '../session/SessionForm.tsx';
import { finishEnrolment, returnToSignIn } from '../session/session.ts';
import { AppSetup, useNewApp } from './AppSetup.tsx';
import { sentenceOf } from './failures.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const words = deskFactor.enrol;

/**
 * Screen on which a supervisor adds a second step of signing in for the first time, and then sees the recovery codes.
 */
export function EnrolScreen() {
  const { app, fault } = useNewApp();
  const [way, setWay] = useState<'app' | 'passkey'>('app');
  const [codes, setCodes] = useState<readonly string[]>();
  // True once the second step is added. If only the response with the recovery codes was lost, the next press requests
  // only the codes.
  const isAdded = useRef(false);

  async function enrol(text: (name: string) => string): Promise<Text | undefined> {
    const add = () => (way === 'app' ? passCode([app!.id], text('code')) : enrolPasskey());
    const failure = isAdded.current ? undefined : await add();
    if (failure) return sentenceOf(failure, way);
    isAdded.current = true;
    const made = await newRecoveryCodes();
    if ('status' in made) return sentenceOf(made, 'recovery');
    if (made.length === 0) await finishEnrolment();
    else setCodes(made);
    return undefined;
  }

  if (codes)
    return (
      <SessionForm
        key="codes"
        title={deskFactor.codes.title}
        why={deskFactor.codes.why}
        send={deskFactor.codes.saved}
        onSend={finishEnrolment}
        boxes={<RecoveryCodes codes={codes} />}
      />
    );
  const isReady = way === 'passkey' || app !== undefined;
  return (
    <SessionForm
      key={`${way} ${isReady} ${fault !== undefined}`}
      title={words.title}
      why={words.why}
      initialFault={way === 'app' ? fault : undefined}
      send={way === 'passkey' ? words.create : words.send}
      isReady={isReady}
      onSend={enrol}
      boxes={
        way === 'passkey' ? (
          <Bilingual text={deskFactor.confirm.passkey} />
        ) : app ? (
          <AppSetup app={app} />
        ) : (
          !fault && <Bilingual text={words.preparing} />
        )
      }
    >
      {hasPasskeys() && way === 'app' && <Button words={words.byPasskey} onClick={() => setWay('passkey')} />}
      {way === 'passkey' && <Button words={words.byApp} onClick={() => setWay('app')} />}
      <Button words={deskFactor.confirm.other} onClick={returnToSignIn} />
    </SessionForm>
  );
}
