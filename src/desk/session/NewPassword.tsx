import { useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSession } from '../../content/desk-session.ts';
import { Button } from '../../ui/Button.tsx';
import { changePassword, isPasswordTyped } from '../api/auth.ts';
import { Box, Gate } from './Gate.tsx';
import { signOut } from './session.ts';
import { textOf } from './SignIn.tsx';

const words = deskSession.newPassword;

const REFUSALS: Readonly<Record<string, Text>> = {
  weak_password: words.weak,
  same_password: words.same,
  invalid_credentials: words.wrongCurrent,
  over_request_rate_limit: deskSession.signIn.throttled,
};

export function NewPassword({ email }: { readonly email: string }) {
  // After a reload nobody has typed it.
  const [isTyped] = useState(isPasswordTyped);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Text>();

  async function change(form: FormData) {
    const password = textOf(form, 'next');
    if (password !== textOf(form, 'again')) return setWrong(words.differs);
    setBusy(true);
    setWrong(undefined);
    const failure = await changePassword(isTyped ? undefined : textOf(form, 'current'), password);
    setBusy(false);
    if (failure) setWrong(REFUSALS[failure.code] ?? (failure.status ? deskFailures.failed : deskFailures.unreachable));
  }

  return (
    <Gate
      title={words.title}
      why={words.why}
      wrong={wrong}
      busy={busy}
      send={words.send}
      onSend={(form) => void change(form)}
      boxes={
        <>
          {/* A password manager reads the account from here. */}
          <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
          {!isTyped && <Box label={words.current} name="current" type="password" autoComplete="current-password" />}
          <Box
            label={words.next}
            name="next"
            type="password"
            autoComplete="new-password"
            minLength={12}
            maxLength={200}
          />
          <Box label={words.again} name="again" type="password" autoComplete="new-password" maxLength={200} />
        </>
      }
    >
      <Button words={deskSession.leave.open} onClick={() => signOut('gone')} />
    </Gate>
  );
}
