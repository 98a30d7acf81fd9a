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
import { countOn, watchLeft } from './locked-count.ts';
import { SessionField, SessionForm } from './SessionForm.tsx';

const words = deskSession.signIn;

export function SignIn({ because }: { readonly because: 'idle' | 'lost' | 'notStaff' | undefined }) {
  const watch = useStore(watchLeft);
  const [counted, setCounted] = useState<WatchRow>();
  useEffect(() => (watch ? countOn(watch, setCounted) : undefined), [watch]);
  const { count: isCounted } = useStore(alerts);
  useEffect(() => {
    document.title = `${counted?.open && isCounted ? `(${counted.open}) ` : ''}${mainWords(deskSession.title)}`;
  }, [counted, isCounted]);

  async function signIn(text: (name: string) => string): Promise<Text | undefined> {
    const failure = await signInWithPassword(text('email').trim(), text('password'));
    if (!failure) return undefined;
    if (failure.status === 429) return words.throttled;
    return failure.status === 400 ? words.wrong : deskFailures.unreachable;
  }

  return (
    <SessionForm
      title={words.title}
      why={because && because !== 'notStaff' ? words[because] : undefined}
      news={counted && words.counted(counted.open, counted.late)}
      initialFault={because === 'notStaff' ? words.notStaff : undefined}
      send={words.send}
      onSend={signIn}
      boxes={
        <>
          <SessionField label={words.email} name="email" type="email" autoComplete="username" autoCapitalize="none" />
          <SessionField label={words.password} name="password" type="password" autoComplete="current-password" />
        </>
      }
    >
      {isSavedHere() && <Bilingual text={words.savedHere} />}
      <Bilingual text={words.forgotten} />
    </SessionForm>
  );
}
