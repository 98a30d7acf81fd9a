import { useEffect, useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFactor } from '../../content/desk-factor.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { enrolApp, type NewApp } from '../api/factors.ts';
import { SessionField } from '../session/SessionForm.tsx';
import { sentenceOf } from './failures.ts';
import styles from './Factor.module.css';

const words = deskFactor.enrol;

/**
 * Requests the key of a new authenticator app when the component first appears. Returns the app with its key, or a
 * sentence about the failure; both are undefined until the server responds.
 */
export function useNewApp() {
  const [app, setApp] = useState<NewApp>();
  const [fault, setFault] = useState<Text>();
  useEffect(() => {
    let isOver = false;
    void enrolApp().then((answer) => {
      if (isOver) return;
      if ('status' in answer) setFault(sentenceOf(answer, 'app'));
      else setApp(answer);
    });
    return () => void (isOver = true);
  }, []);
  return { app, fault };
}

/** QR code and key of a new authenticator app, and the field for its first code. */
export function AppSetup({ app }: { readonly app: NewApp }) {
  return (
    <div className={styles['setup']}>
      <div>
        <Bilingual text={words.scan} />
      </div>
      <QrCode text={app.uri} label={words.picture} />
      <a href={app.uri}>
        <Inline text={words.openApp} />
      </a>
      <div>
        <Bilingual text={words.key} />
        <p className={styles['key']} translate="no">
          {app.secret.match(/.{4}/g)!.join(' ')}
        </p>
      </div>
      <CodeField />
    </div>
  );
}

export const CodeField = ({ isFirst = false }) => (
  <SessionField
    label={deskFactor.code}
    name="code"
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person pressed "Entrar" to get this field
    autoFocus={isFirst}
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern="[0-9 ]{6,7}"
    maxLength={7}
  />
);
