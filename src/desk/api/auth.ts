import type { AuthError, Session } from '@supabase/supabase-js';
import { createStore } from '../../ui/create-store.ts';
import { backend, SESSION, sessionToken } from './backend.ts';
import { tabStorage } from './tab-storage.ts';

/** Failure of a sign-in or a new password; status 0 if the server did not answer. */
export interface AuthFailure {
  readonly status: number;
  readonly code: string;
}

export const failureOf = ({ status = 0, code = '' }: AuthError): AuthFailure => ({ status, code });

/** Password typed at this sign-in, needed again to change a temporary password. It is forgotten when the desk opens. */
const typed = createStore<string | undefined>(undefined);
export const isPasswordTyped = (): boolean => typed.read() !== undefined;
export const forgetPassword = (): void => typed.set(undefined);

export async function signInWithPassword(email: string, password: string): Promise<AuthFailure | undefined> {
  typed.set(password);
  const { error } = await backend.auth.signInWithPassword({ email, password });
  return error ? failureOf(error) : undefined;
}

/** Changes the password. `current`: undefined if the person has typed the password at this sign-in. */
export async function changePassword(current: string | undefined, next: string): Promise<AuthFailure | undefined> {
  const change = { password: next, current_password: current ?? typed.read() ?? '', data: { must_change: false } };
  const { error } = await backend.auth.updateUser(change);
  return error ? failureOf(error) : undefined;
}

export const currentSession = async (): Promise<Session | null> => (await backend.auth.getSession()).data.session;

/**
 * Adds a listener for session changes. The listener must not await a call of auth-js, because auth-js holds a lock
 * while it calls the listener.
 */
export function watchAuth(listener: (event: string, session: Session | null) => void): void {
  backend.auth.onAuthStateChange(listener);
}

/** Functions that send delayed actions right before a sign-out, while the session still has its token. */
export const beforeSignOut = new Set<() => Promise<unknown>>();

/**
 * Ends the session in this tab and on the server. Before the server ends the session, `goodbye` may send a last request
 * with the token.
 */
export function forgetSession(goodbye: (token: string) => Promise<unknown> = async () => {}): void {
  forgetPassword();
  const token = sessionToken();
  // The session is removed without auth-js, which would keep the session if the server cannot be reached.
  tabStorage.removeItem(SESSION);
  if (!token) return;
  void goodbye(token)
    .catch(() => undefined)
    .then(() => backend.auth.admin.signOut(token, 'local'))
    .catch(() => undefined);
}
