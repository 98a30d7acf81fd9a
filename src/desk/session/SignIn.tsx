import { useEffect, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSession } from '../../content/desk-session.ts';
import type { WatchRow } from '../../lead/rows.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { useStore } from '../../ui/store.ts';
import { alerts } from '../team/alerts.ts';
import { signInWithPassword } from '../api/auth.ts';
import { isSavedHere } from '../answer/send-delay.ts';
import { countOn, watchLeft } from './locked.ts';
import { Box, Gate } from './Gate.tsx';

const words = deskSession.signIn;

export function SignIn({ because }: { readonly because: 'idle' | 'lost' | 'notStaff' | undefined }) {
  const watch = useStore(watchLeft);
  const [counted, setCounted] = useState<WatchRow>();
  useEffect(() => (watch ? countOn(watch, setCounted) : undefined), [watch]);
  const { count: isCounted } = useStore(alerts);
  useEffect(() => {
    document.title = `${counted?.open && isCounted ? `(${counted.open}) ` : ''}${mainWords(deskSession.title)}`;
  }, [counted, isCounted]);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Text>();

  async function signIn(form: FormData) {
    setBusy(true);
    setWrong(undefined);
    const failure = await signInWithPassword(textOf(form, 'email').trim(), textOf(form, 'password'));
    // A success replaces this form.
    setBusy(false);
    if (!failure) return;
    if (failure.status === 429) setWrong(words.throttled);
    else setWrong(failure.status === 400 ? words.wrong : deskFailures.unreachable);
  }

  return (
    <Gate
      title={words.title}
      why={because && because !== 'notStaff' ? words[because] : undefined}
      news={counted && words.counted(counted.open, counted.late)}
      wrong={wrong ?? (because === 'notStaff' ? words.notStaff : undefined)}
      busy={busy}
      send={busy ? words.sending : words.send}
      onSend={(form) => void signIn(form)}
      boxes={
        <>
          <Box label={words.email} name="email" type="email" autoComplete="username" autoCapitalize="none" />
          <Box label={words.password} name="password" type="password" autoComplete="current-password" />
        </>
      }
    >
      {isSavedHere() && <Bilingual text={words.savedHere} />}
      <Bilingual text={words.forgotten} />
    </Gate>
  );
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
