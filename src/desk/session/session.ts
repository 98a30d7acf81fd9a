import type { Session as AuthSession, User } from '@supabase/supabase-js';
import { createStore } from '../../ui/create-store.ts';
import type { Person } from '../api/person.ts';
import { forgetFiles } from '../api/files.ts';
import { beforeSignOut, forgetPassword, forgetSession, watchAuth } from '../api/auth.ts';
import { reportGone } from '../api/team.ts';
import { forgetDrafts, forgetDraftsOfOthers } from '../answer/drafts.ts';
import { forgetLastOffers } from '../answer/last-offers.ts';
import { leaveWatch, watchLeft } from './locked-count.ts';
import { forgetDialogDrafts, forgetDialogDraftsOfOthers } from '../answer/dialog-drafts.ts';
import { lastActivity, noteActivity, LOCKS_AFTER } from './idle-lock.ts';

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly because?: 'idle' | 'lost' | 'notStaff' }
  | { readonly kind: 'must-change'; readonly email: string }
  | {
      readonly kind: 'open';
      readonly person: Person;
      /** True if the person has just chosen a first password. */
      readonly isFirst: boolean;
    };

export const session = createStore<Session>({ kind: 'starting' });

/** Updates the session store when auth-js reports a change. */
export function watchSession(): void {
  if (Date.now() - lastActivity() > LOCKS_AFTER) forgetSession();
  watchAuth((event, auth) => {
    const { kind } = session.read();
    // A token refresh that began before the desk locked must not restore the session.
    if (event === 'TOKEN_REFRESHED' && kind === 'signed-out') forgetSession();
    else if (event === 'SIGNED_OUT' && kind !== 'signed-out') session.set({ kind: 'signed-out', because: 'lost' });
    else if (event !== 'SIGNED_OUT') take(auth, kind);
  });
}

function take(auth: AuthSession | null, previousKind: Session['kind']): void {
  if (!auth) return session.set({ kind: 'signed-out' });
  const { user } = auth;
  if (user.app_metadata['role'] !== 'staff') {
    forgetSession();
    return session.set({ kind: 'signed-out', because: 'notStaff' });
  }
  const person = { id: user.id, name: nameOf(user), isSupervisor: user.app_metadata['supervisor'] === true };
  const kind = user.user_metadata['must_change'] === true ? 'must-change' : 'open';
  // A renewed token of the same person needs no new screen.
  if (kind === previousKind) return;
  noteActivity();
  watchLeft.set(undefined);
  forgetDraftsOfOthers(person.id);
  forgetDialogDraftsOfOthers(person.id);
  if (kind === 'must-change') return session.set({ kind, email: user.email ?? '' });
  forgetPassword();
  return session.set({ kind, person, isFirst: previousKind === 'must-change' });
}

/** Name of the person, by the rule of private.staff_name in the database. */
function nameOf({ app_metadata: { name }, email = '' }: User): string {
  return typeof name === 'string' && name.trim() ? name.trim() : email;
}

/**
 * Signs out and clears the screen at once. `idle`: locks the desk, which still counts leads. `gone`: open leads go back to
 * the list. `keeps`: open leads stay with their owner, and present colleagues get the alerts.
 */
export function signOut(how: 'idle' | 'gone' | 'keeps'): void {
  for (const send of beforeSignOut) send();
  session.set({ kind: 'signed-out', ...(how === 'idle' && { because: how }) });
  history.replaceState(null, '', location.pathname);
  forgetLastOffers();
  forgetFiles();
  forgetSession({ idle: leaveWatch, gone: reportGone('mevoy'), keeps: reportGone('conservo') }[how]);
  if (how === 'idle') return;
  forgetDrafts();
  forgetDialogDrafts();
}
