import { useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSession } from '../../content/desk-session.ts';
import { Button } from '../../ui/Button.tsx';
import { changePassword, isPasswordTyped } from '../api/auth.ts';
import { SessionField, SessionForm } from './SessionForm.tsx';
import { signOut } from './session.ts';

const words = deskSession.newPassword;

const REFUSALS: Readonly<Record<string, Text>> = {
  weak_password: words.weak,
  same_password: words.unchanged,
  invalid_credentials: words.wrongCurrent,
  over_request_rate_limit: deskSession.signIn.throttled,
};

export function NewPassword({ email }: { readonly email: string }) {
  // False after a reload, because the password typed at the sign-in is only in memory.
  const [isTyped] = useState(isPasswordTyped);

  async function change(text: (name: string) => string): Promise<Text | undefined> {
    if (text('next') !== text('again')) return words.differs;
    const failure = await changePassword(isTyped ? undefined : text('current'), text('next'));
    return failure && (REFUSALS[failure.code] ?? (failure.status ? deskFailures.failed : deskFailures.unreachable));
  }

  return (
    <SessionForm
      title={words.title}
      why={words.why}
      send={words.send}
      onSend={change}
      boxes={
        <>
          {/* Password managers read from this hidden field to which account the new password belongs. */}
          <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
          {!isTyped && (
            <SessionField label={words.current} name="current" type="password" autoComplete="current-password" />
          )}
          <SessionField
            label={words.next}
            name="next"
            type="password"
            autoComplete="new-password"
            minLength={12}
            maxLength={200}
          />
          <SessionField label={words.repeat} name="again" type="password" autoComplete="new-password" maxLength={200} />
        </>
      }
    >
      <Button words={deskSession.leave.open} onClick={() => signOut('gone')} />
    </SessionForm>
  );
}
