import type { Session as AuthSession, User } from '@supabase/supabase-js';
import { createStore } from '../../ui/create-store.ts';
import type { Person } from '../api/person.ts';
import { forgetFiles } from '../api/files.ts';
import { beforeSignOut, currentSession, forgetPassword, forgetSession, watchAuth } from '../api/auth.ts';
import { reportGone } from '../api/team.ts';
import { forgetDrafts, forgetDraftsOfOthers } from '../answer/drafts.ts';
import { forgetLastOffers } from '../answer/last-offers.ts';
import { leaveWatch, watchLeft } from './locked-count.ts';
import { forgetDialogDrafts, forgetDialogDraftsOfOthers } from '../answer/dialog-drafts.ts';
import { lastActivity, noteActivity, LOCKS_AFTER } from './idle-lock.ts';

export interface SecondStep {
  readonly id: string;
  readonly type: 'totp' | 'webauthn' | 'phone' | 'recovery_code';
}

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'signed-out'; readonly because?: 'idle' | 'lost' | 'notStaff' }
  /** The account has a second step, which this session has not passed. */
  | { readonly kind: 'second-step'; readonly steps: readonly SecondStep[] }
  | { readonly kind: 'must-change'; readonly email: string }
  /** A supervisor without a second step has to add one. */
  | { readonly kind: 'must-enrol'; readonly isFirst: boolean }
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
    const before = session.read();
    const { kind } = before;
    // A token refresh that began before the desk locked must not restore the session.
    if (event === 'TOKEN_REFRESHED' && kind === 'signed-out') forgetSession();
    else if (event === 'SIGNED_OUT' && kind !== 'signed-out') session.set({ kind: 'signed-out', because: 'lost' });
    // The enrolment screen stays until the person has seen the recovery codes, so a session change does not end it.
    else if (event !== 'SIGNED_OUT' && !(kind === 'must-enrol' && auth && hasPassed(auth))) take(auth, before);
  });
}

/** Opens the desk after the first second step was added. */
export async function finishEnrolment(): Promise<undefined> {
  take(await currentSession(), session.read());
}

/** Whether the session has passed a second step, by the level in its token. */
function hasPassed({ access_token: token }: AuthSession): boolean {
  const claims = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(claims)) as { aal?: string }).aal === 'aal2';
}

function take(auth: AuthSession | null, previous: Session): void {
  if (!auth) return session.set({ kind: 'signed-out' });
  const { user } = auth;
  if (user.app_metadata['role'] !== 'staff') {
    forgetSession();
    return session.set({ kind: 'signed-out', because: 'notStaff' });
  }
  const factors = user.factors?.filter(({ status }) => status === 'verified') ?? [];
  const person = { id: user.id, name: nameOf(user), isSupervisor: user.app_metadata['supervisor'] === true };
  const mustEnrol = person.isSupervisor && factors.length === 0 && user.app_metadata['second_factor'] !== 'optional';
  const kind =
    factors.length > 0 && !hasPassed(auth)
      ? 'second-step'
      : user.user_metadata['must_change'] === true
        ? 'must-change'
        : mustEnrol
          ? 'must-enrol'
          : 'open';
  // A renewed token of the same person needs no new screen.
  if (kind === previous.kind) return;
  noteActivity();
  watchLeft.set(undefined);
  forgetDraftsOfOthers(person.id);
  forgetDialogDraftsOfOthers(person.id);
  if (kind === 'second-step')
    return session.set({ kind, steps: factors.map(({ id, factor_type: type }) => ({ id, type })) });
  if (kind === 'must-change') return session.set({ kind, email: user.email ?? '' });
  forgetPassword();
  const isFirst = previous.kind === 'must-change' || (previous.kind === 'must-enrol' && previous.isFirst);
  return session.set(kind === 'must-enrol' ? { kind, isFirst } : { kind, person, isFirst });
}

/** Leaves a screen between password and desk. Drafts stay, because their author may come back. */
export function returnToSignIn(): void {
  session.set({ kind: 'signed-out' });
  forgetSession();
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
