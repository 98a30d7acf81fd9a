import type { Session as AuthSession, User } from '@supabase/supabase-js';
import { createStore } from '../ui/create-store.ts';
import { backend, forgetSession } from './backend.ts';
import { forgetDrafts, forgetDraftsOfOthers } from './drafts.ts';
import { leaveWatch, watchLeft } from './locked.ts';
import { sayGone } from './presence.ts';
import { forgetUnfinished, forgetUnfinishedOfOthers } from './unfinished.ts';
import { lastHand, noteHand, LOCKS_AFTER } from './idle.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly isSupervisor: boolean;
}

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly because?: 'idle' | 'lost' | 'notStaff' }
  | { readonly kind: 'must-change'; readonly email: string }
  | { readonly kind: 'open'; readonly person: Person };

export const session = createStore<Session>({ kind: 'starting' });

/** Nothing in here may wait for the client: it holds its lock while it tells us. */
export function watchSession(): void {
  if (Date.now() - lastHand() > LOCKS_AFTER) forgetSession();
  backend.auth.onAuthStateChange((event, auth) => {
    const { kind } = session.read();
    // A refresh that was under way when it was locked: its session must not come back.
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
  noteHand();
  watchLeft.set(undefined);
  forgetDraftsOfOthers(person.id);
  forgetUnfinishedOfOthers(person.id);
  session.set(kind === 'open' ? { kind, person } : { kind, email: user.email ?? '' });
}

/** As the database names who acts (private.staff_name). */
function nameOf({ app_metadata: { name }, email = '' }: User): string {
  return typeof name === 'string' && name.trim() ? name.trim() : email;
}

/** The screen is empty at once, whatever the server says to it. */
export function signOut(because?: 'idle'): void {
  session.set({ kind: 'signed-out', ...(because && { because }) });
  history.replaceState(null, '', location.pathname);
  // Whoever locks it comes back; whoever leaves it has said all, and is here no more.
  forgetSession(because ? leaveWatch : sayGone);
  if (because) return;
  forgetDrafts();
  forgetUnfinished();
}
