import type { AuthError, SupabaseClient, User } from '@supabase/supabase-js';
import { firstPassword } from '../auth/passwords.ts';
import { openAccess } from './access.ts';
import type { Settings } from '../settings.ts';

export interface StaffAccount {
  readonly email: string;
  readonly name: string;
  /** On a hosted project there may be others. */
  readonly isStaff: boolean;
  readonly isSupervisor: boolean;
  readonly createdAt: string;
  readonly lastSignInAt: string | undefined;
}

/** Accounts are named by their e-mail; what is not there is an error that says so. */
export interface StaffAccounts {
  list(): Promise<StaffAccount[]>;
  /** The first password, which its owner has to change. */
  add(email: string, name: string, isSupervisor: boolean): Promise<string>;
  /** Another first password; every session of the account ends. */
  renewPassword(email: string): Promise<string>;
  /** False where it was staff already. */
  grant(email: string): Promise<boolean>;
  /** Makes a supervisor of an agent, or the other way round. */
  setSupervisor(email: string, isSupervisor: boolean): Promise<void>;
  remove(email: string): Promise<void>;
  close(): Promise<void>;
}

const PAGE = 200;
const MUST_CHANGE = { must_change: true };

/** The accounts of hosted Supabase, of the running server, or of the data directory nobody has open. */
export async function openStaffAccounts(
  settings: Settings,
  secretKey: string | undefined,
  { makesDirectory }: { makesDirectory: boolean },
): Promise<StaffAccounts> {
  const { client, close } = await openAccess(settings, secretKey, {
    noKey: 'Accounts are in hosted Supabase: set SUPABASE_SECRET_KEY to change them.',
    nothingThere: makesDirectory ? undefined : 'There are no accounts',
  });
  return over(await client(), close);
}

function over(client: SupabaseClient, close: StaffAccounts['close']): StaffAccounts {
  const { admin } = client.auth;
  async function all(): Promise<User[]> {
    const users = new Map<string, User>();
    for (let page = 1; ; page += 1) {
      const { data, error } = await admin.listUsers({ page, perPage: PAGE });
      if (error) throw failure('The accounts could not be read', error);
      const known = users.size;
      for (const user of data.users) users.set(user.id, user);
      if (users.size === known) return [...users.values()];
    }
  }

  async function named(email: string): Promise<User> {
    const user = (await all()).find((each) => each.email === email);
    if (!user) throw new Error(`${email} has no account.`);
    return user;
  }

  return {
    list: async () => (await all()).map(readUser),
    async add(email, name, isSupervisor) {
      const password = firstPassword();
      const { error } = await admin.createUser({
        email,
        password,
        email_confirm: true,
        app_metadata: { role: 'staff', name, supervisor: isSupervisor },
        user_metadata: MUST_CHANGE,
      });
      if (error?.code === 'email_exists') throw new Error(`${email} has an account already: nothing was changed.`);
      if (error) throw failure('The account could not be made', error);
      return password;
    },
    async renewPassword(email) {
      const password = firstPassword();
      const { id } = await named(email);
      const { error } = await admin.updateUserById(id, { password, user_metadata: MUST_CHANGE });
      if (error) throw failure('The password could not be changed', error);
      return password;
    },
    async grant(email) {
      const user = await named(email);
      if (readUser(user).isStaff) return false;
      const { error } = await admin.updateUserById(user.id, { app_metadata: { role: 'staff' } });
      if (error) throw failure('The role could not be granted', error);
      return true;
    },
    async setSupervisor(email, isSupervisor) {
      const { id } = await named(email);
      const { error } = await admin.updateUserById(id, { app_metadata: { supervisor: isSupervisor } });
      if (error) throw failure('The role could not be changed', error);
    },
    async remove(email) {
      const { id } = await named(email);
      // While there is an account it can be said again: afterwards nobody knows the id.
      const { error: unsaid } = await client.from('staff_signs').insert({ kind: 'baja', staff: id });
      if (unsaid)
        throw new Error(
          `Nothing was removed: that ${email} is gone could not be said to the desk (${unsaid.message}).`,
        );
      const { error } = await admin.deleteUser(id);
      if (error) throw failure('The account could not be removed', error);
    },
    close,
  };
}

function readUser({ email = '', app_metadata: about, created_at, last_sign_in_at }: User): StaffAccount {
  const name: unknown = about['name'];
  return {
    email,
    name: typeof name === 'string' ? name : '',
    isStaff: about['role'] === 'staff',
    isSupervisor: about['role'] === 'staff' && about['supervisor'] === true,
    createdAt: created_at,
    lastSignInAt: last_sign_in_at ?? undefined,
  };
}

function failure(what: string, { message }: AuthError): Error {
  return new Error(`${what}: ${message}`);
}
