import { useState } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { Act } from './Act.tsx';
import { backend } from './backend.ts';
import { Box, Gate } from './Gate.tsx';
import { signOut } from './session.ts';
import { textOf } from './SignIn.tsx';

const words = desk.newPassword;

const REFUSALS: Readonly<Record<string, Text>> = {
  weak_password: words.weak,
  same_password: words.same,
  invalid_credentials: words.wrongCurrent,
  over_request_rate_limit: desk.signIn.throttled,
};

export function NewPassword({ email }: { readonly email: string }) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Text>();

  async function change(form: FormData) {
    const password = textOf(form, 'next');
    if (password !== textOf(form, 'again')) return setWrong(words.differs);
    setBusy(true);
    setWrong(undefined);
    const { error } = await backend.auth.updateUser({
      password,
      current_password: textOf(form, 'current'),
      data: { must_change: false },
    });
    setBusy(false);
    if (error) setWrong(REFUSALS[error.code ?? ''] ?? (error.status ? desk.failed : desk.unreachable));
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
          {/* For what keeps passwords: whose it is. */}
          <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
          <Box label={words.current} name="current" type="password" autoComplete="current-password" />
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
      <Act words={desk.change} onClick={() => signOut()} />
    </Gate>
  );
}
