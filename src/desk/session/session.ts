import type { Session as AuthSession, User } from '@supabase/supabase-js';
import { createStore } from '../../ui/create-store.ts';
import type { Person } from '../api/person.ts';
import { forgetFiles } from '../api/files.ts';
import { forgetPassword, forgetSession, watchAuth } from '../api/auth.ts';
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
      /** The first password was just chosen. */
      readonly isFirst: boolean;
    };

export const session = createStore<Session>({ kind: 'starting' });

/** Follows the client's session. */
export function watchSession(): void {
  if (Date.now() - lastActivity() > LOCKS_AFTER) forgetSession();
  watchAuth((event, auth) => {
    const { kind } = session.read();
    // A refresh that was under way when the desk locked must not bring the session back.
    if (event === 'TOKEN_REFRESHED' && kind === 'signed-out') forgetSession();
    else if (event === 'SIGNED_OUT' && kind !== 'signed-out') session.set({ kind: 'signed-out', because: 'lost' });
    else if (event !== 'SIGNED_OUT') take(auth, kind);
  });
}

function take(auth: AuthSession | null, before: Session['kind']): void {
  if (!auth) return session.set({ kind: 'signed-out' });
  const { user } = auth;
  if (user.app_metadata['role'] !== 'staff') {
    forgetSession();
    return session.set({ kind: 'signed-out', because: 'notStaff' });
  }
  const person = { id: user.id, name: nameOf(user), isSupervisor: user.app_metadata['supervisor'] === true };
  const kind = user.user_metadata['must_change'] === true ? 'must-change' : 'open';
  // A new token of the same person changes nothing on the screen.
  if (kind === before) return;
  noteActivity();
  watchLeft.set(undefined);
  forgetDraftsOfOthers(person.id);
  forgetDialogDraftsOfOthers(person.id);
  if (kind === 'must-change') return session.set({ kind, email: user.email ?? '' });
  forgetPassword();
  return session.set({ kind, person, isFirst: before === 'must-change' });
}

/** The name as the database has it (private.staff_name). */
function nameOf({ app_metadata: { name }, email = '' }: User): string {
  return typeof name === 'string' && name.trim() ? name.trim() : email;
}

/**
 * Empties the screen at once. `idle`: the desk locks, and goes on counting. `gone`: open leads go back to the list.
 * `keeps`: whoever goes keeps them, and alerts go to whoever is here.
 */
export function signOut(how: 'idle' | 'gone' | 'keeps'): void {
  session.set({ kind: 'signed-out', ...(how === 'idle' && { because: how }) });
  history.replaceState(null, '', location.pathname);
  forgetLastOffers();
  forgetFiles();
  forgetSession({ idle: leaveWatch, gone: reportGone('mevoy'), keeps: reportGone('conservo') }[how]);
  if (how === 'idle') return;
  forgetDrafts();
  forgetDialogDrafts();
}
