import { useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFactor } from '../../content/desk-factor.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { hasPasskeys, passCode, passPasskey, passRecoveryCode } from '../api/factors.ts';
import { SessionField, SessionForm } from '../session/SessionForm.tsx';
import { returnToSignIn, type SecondStep } from '../session/session.ts';
import { CodeField } from './AppSetup.tsx';
import { sentenceOf, type Way } from './failures.ts';

const words = deskFactor.confirm;

/** Screen between password and desk, for an account with a second step of signing in. */
export function FactorScreen({ steps }: { readonly steps: readonly SecondStep[] }) {
  const idsOf = (type: SecondStep['type']) => steps.flatMap((step) => (step.type === type ? step.id : []));
  const [apps, passkeys] = [idsOf('totp'), hasPasskeys() ? idsOf('webauthn') : []];
  const ways = [
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
    ...(apps.length > 0 ? ['app' as const] : []),
    'recovery' as const,
  ];
  const [way, setWay] = useState<Way>(ways[0]!);
  // Number of failed attempts with a passkey. The server's challenge fits only one passkey, so each new attempt uses
  // the next passkey of the account.
  const [turn, setTurn] = useState(0);

  async function pass(text: (name: string) => string): Promise<Text | undefined> {
    const failure = await {
      app: () => passCode(apps, text('code')),
      passkey: () => passPasskey(passkeys[turn % passkeys.length]!),
      recovery: () => passRecoveryCode(text('recovery')),
    }[way]();
    if (failure && way === 'passkey') setTurn(turn + 1);
    return failure && sentenceOf(failure, way);
  }

  return (
    <SessionForm
      key={way}
      title={words.title}
      why={words[way]}
      send={way === 'passkey' ? words.ways.passkey : words.send}
      onSend={pass}
      boxes={
        <>
          {way === 'app' && <CodeField isFirst />}
          {way === 'recovery' && (
            <SessionField
              label={deskFactor.recoveryCode}
              name="recovery"
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person pressed a button to get this field
              autoFocus
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={40}
            />
          )}
        </>
      }
    >
      {ways.map(
        (other) => other !== way && <Button key={other} words={words.ways[other]} onClick={() => setWay(other)} />,
      )}
      <Button words={words.other} onClick={returnToSignIn} />
      <Bilingual text={words.lost} />
    </SessionForm>
  );
}
