import { useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskFactor } from '../../content/desk-factor.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, Buttons } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Inline } from '../../ui/Inline.tsx';
import type { AuthFailure } from '../api/auth.ts';
import { enrolPasskey, hasPasskeys, newRecoveryCodes, passCode, readSecurity, removeFactor } from '../api/factors.ts';
import { useDesk, useRead } from '../context.ts';
import { useBusy } from '../use-busy.ts';
import { AppSetup, useNewApp } from './AppSetup.tsx';
import { sentenceOf, type Way } from './failures.ts';
import styles from './Factor.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const words = deskFactor.security;

/** Dialog in which a colleague adds and removes second steps of signing in. */
export function SecurityDialog({ onClose }: { readonly onClose: () => void }) {
  const { now } = useDesk();
  const { value, hasFailed, readAgain } = useRead('', readSecurity);
  const [asked, setAsked] = useState<string>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [fault, setFault] = useState<Text>();
  const [busy, runOnce] = useBusy();
  const factors = value?.factors ?? [];
  const hasApp = factors.some(({ factor_type: type }) => type === 'totp');

  /**
   * Runs one request at a time. After an authenticator app or a passkey was added, makes recovery codes if the account
   * has none.
   */
  const run = (way: Way, work: () => Promise<AuthFailure | undefined>, isNew = false) =>
    runOnce(async () => {
      setFault(undefined);
      const failure = (await work()) ?? (isNew && value?.codes === undefined ? await makeCodes() : undefined);
      setFault(failure && sentenceOf(failure, way));
      if (!failure) setAsked(undefined);
      readAgain();
    });
  async function makeCodes(): Promise<AuthFailure | undefined> {
    const made = await newRecoveryCodes();
    if ('status' in made) return made;
    setCodes(made.length > 0 ? made : undefined);
    return undefined;
  }

  if (codes)
    return (
      <Dialog
        key="codes"
        title={deskFactor.codes.title}
        onClose={onClose}
        actions={<Button quiet={false} words={deskFactor.codes.saved} onClick={() => setCodes(undefined)} />}
      >
        <Bilingual text={deskFactor.codes.why} />
        <RecoveryCodes codes={codes} />
      </Dialog>
    );
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div role="status">
        {hasFailed && <Bilingual text={deskFailures.unreachable} />}
        {value && <Bilingual text={factors.length > 0 ? words.asked : words.none} />}
      </div>
      <ul className={styles['steps']}>
        {factors.map(({ id, factor_type: type, friendly_name: name, created_at: at }) => (
          <li key={id}>
            <p>
              <Inline text={type === 'totp' ? words.app : words.passkey} />
            </p>
            <p className={styles['since']}>
              {type === 'webauthn' && `${nameOf(name)} · `}
              <Inline text={dateInWords(Date.parse(at), now)} />
            </p>
            {asked === id ? (
              <Confirm
                question={factors.length > 1 ? words.removing : words.removingLast}
                yes={words.remove}
                busy={busy}
                onYes={() => void run('app', () => removeFactor(id))}
                onNo={() => setAsked(undefined)}
              />
            ) : (
              <Button words={words.remove} onClick={() => setAsked(id)} />
            )}
          </li>
        ))}
      </ul>
      {asked === 'app' && (
        <NewAppForm busy={busy} onSend={(id, code) => void run('app', () => passCode([id], code), true)} />
      )}
      <div role="alert">{fault && <Bilingual text={fault} />}</div>
      {value && (
        <Buttons>
          {!hasApp && asked !== 'app' && <Button words={words.addApp} onClick={() => setAsked('app')} />}
          {hasPasskeys() && (
            <Button words={words.addPasskey} aria-busy={busy} onClick={() => void run('passkey', enrolPasskey, true)} />
          )}
        </Buttons>
      )}
      {factors.length > 0 && (
        <div className={styles['recovery']}>
          <Bilingual text={words.remaining(value?.codes ?? 0)} />
          {asked === 'codes' ? (
            <Confirm
              question={words.newCodesWarning}
              yes={words.newCodes}
              busy={busy}
              onYes={() => void run('recovery', makeCodes)}
              onNo={() => setAsked(undefined)}
            />
          ) : (
            <Button words={words.newCodes} onClick={() => setAsked('codes')} />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** Returns the name without the four characters that make it unique in the account. */
const nameOf = (name = '') => name.replace(/ [\da-f]{4}$/, '');

interface NewAppProps {
  readonly busy: boolean;
  readonly onSend: (id: string, code: string) => void;
}

function NewAppForm({ busy, onSend }: NewAppProps) {
  const { app, fault } = useNewApp();
  if (!app) return <Bilingual text={fault ?? deskFactor.enrol.preparing} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const code = new FormData(event.currentTarget).get('code');
        onSend(app.id, typeof code === 'string' ? code : '');
      }}
    >
      <AppSetup app={app} />
      <Button quiet={false} type="submit" words={deskFactor.enrol.send} aria-busy={busy} />
    </form>
  );
}
