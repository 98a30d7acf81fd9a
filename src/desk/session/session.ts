import type { Session as AuthSession, User } from '@supabase/supabase-js';
import { createStore } from '../../ui/create-store.ts';
import type { Person } from '../api/person.ts';
import { forgetFiles } from '../api/files.ts';
import { beforeSignOut, currentSession, forgetPassword, forgetSession, watchAuth } from '../api/auth.ts';
import { reportGone } from '../api/team.ts';
import { forgetDrafts, forgetDraftsOfOthers } from '../answer/drafts.ts';
import { forgetLastOffers } from '../answer/last-offers.ts';
import { forgetSteps } from '../answer/step-drafts.ts';
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
  /** The account has a second step of signing in, which this session has not passed yet. */
  | { readonly kind: 'second-step'; readonly steps: readonly SecondStep[] }
  | { readonly kind: 'must-change'; readonly email: string }
  /** A supervisor without a second step of signing in has to add one first. */
  | { readonly kind: 'must-enrol'; readonly isFirst: boolean }
  | {
      readonly kind: 'open';
      readonly person: Person;
      /**
       * True if the person has just replaced a temporary password: the first session shows the dialogs about alerts and
       * shortcuts.
       */
      readonly isFirst: boolean;
    };

export const session = createStore<Session>({ kind: 'starting' });

/** Updates the session store when auth-js reports a change. */
export function watchSession(): void {
  if (Date.now() - lastActivity() > LOCKS_AFTER) forgetSession();
  watchAuth((event, auth) => {
    const previous = session.read();
    const { kind } = previous;
    // The desk may lock while auth-js refreshes the token. That refresh must not restore the session.
    if (event === 'TOKEN_REFRESHED' && kind === 'signed-out') forgetSession();
    else if (event === 'SIGNED_OUT' && kind !== 'signed-out') session.set({ kind: 'signed-out', because: 'lost' });
    // Adding a second step changes the session before the person has seen the recovery codes. The screen with the codes
    // must stay until then.
    else if (event !== 'SIGNED_OUT' && !(kind === 'must-enrol' && auth && hasPassed(auth))) take(auth, previous);
  });
}

/** Opens the desk after a supervisor has added the required second step of signing in. */
export async function finishEnrolment(): Promise<undefined> {
  take(await currentSession(), session.read());
}

/** True if the session has passed a second step, which its token shows by the level 'aal2'. */
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
  // If only the token was renewed, the screen stays as it is.
  if (kind === previous.kind) return;
  noteActivity();
  watchLeft.set(undefined);
  forgetDraftsOfOthers(person.id);
  forgetSteps(({ by }) => by !== person.id);
  forgetDialogDraftsOfOthers(person.id);
  if (kind === 'second-step')
    return session.set({ kind, steps: factors.map(({ id, factor_type: type }) => ({ id, type })) });
  if (kind === 'must-change') return session.set({ kind, email: user.email ?? '' });
  forgetPassword();
  const isFirst = previous.kind === 'must-change' || (previous.kind === 'must-enrol' && previous.isFirst);
  return session.set(kind === 'must-enrol' ? { kind, isFirst } : { kind, person, isFirst });
}

/** Returns from a screen between password and desk to the sign-in. Drafts stay, because their author may come back. */
export function returnToSignIn(): void {
  session.set({ kind: 'signed-out' });
  forgetSession();
}

/** Returns the name of the person. The function private.staff_name in the database has the same rule. */
function nameOf({ app_metadata: { name }, email = '' }: User): string {
  return typeof name === 'string' && name.trim() ? name.trim() : email;
}

/**
 * Signs out and clears the screen at once. `idle`: locks the desk, which still shows the number of leads. `gone`: open
 * leads lose their owner. `keeps`: open leads keep their owner, and present colleagues get the alerts about them.
 */
export function signOut(how: 'idle' | 'gone' | 'keeps'): void {
  const sent = Promise.all([...beforeSignOut].map((send) => send()));
  session.set({ kind: 'signed-out', ...(how === 'idle' && { because: how }) });
  history.replaceState(null, '', location.pathname);
  forgetLastOffers();
  forgetFiles();
  // The delayed actions are sent first, because the server refuses them once the leads have no owner.
  const leaveLeads = (token: string) => sent.then(() => reportGone('mevoy')(token));
  forgetSession({ idle: leaveWatch, gone: leaveLeads, keeps: reportGone('conservo') }[how]);
  if (how === 'idle') return;
  forgetDrafts();
  forgetSteps();
  forgetDialogDrafts();
}
