import type { AuthError, SupabaseClient, User } from '@supabase/supabase-js';
import { eachLanguage, type Bilingual } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { firstPassword } from '../auth/passwords.ts';
import { openAccess } from './access.ts';
import type { Settings } from '../settings.ts';

export interface StaffAccount {
  readonly email: string;
  readonly name: string;
  /** False for a user of a hosted Supabase project who does not work at the desk. */
  readonly isStaff: boolean;
  readonly isSupervisor: boolean;
  readonly hasFactor: boolean;
  readonly createdAt: string;
  readonly lastSignInAt: string | undefined;
}

/** Accounts of the team, named by their e-mail. Each function throws if an e-mail has no account. */
export interface StaffAccounts {
  list(): Promise<StaffAccount[]>;
  /** Resolves with the first password, which its owner has to change. */
  add(email: string, name: string, isSupervisor: boolean): Promise<string>;
  /** Resolves with a new first password. All sessions of the account end. */
  renewPassword(email: string): Promise<string>;
  /** Resolves with false if the account was staff already. */
  grant(email: string): Promise<boolean>;
  setSupervisor(email: string, isSupervisor: boolean): Promise<void>;
  remove(email: string): Promise<void>;
  /** Removes all second factors with their recovery codes. Resolves with false if there was none. */
  removeFactors(email: string): Promise<boolean>;
  close(): Promise<void>;
}

const PAGE = 200;
const MUST_CHANGE = { must_change: true };

export async function openStaffAccounts(
  settings: Settings,
  secretKey: string | undefined,
  { makesDirectory }: { makesDirectory: boolean },
): Promise<StaffAccounts> {
  const { client, close } = await openAccess(settings, secretKey, {
    noKey: {
      es: 'Las cuentas están en Supabase alojado: ponga SUPABASE_SECRET_KEY para cambiarlas.',
      en: 'Accounts are in hosted Supabase: set SUPABASE_SECRET_KEY to change them.',
    },
    noDatabase: makesDirectory ? undefined : { es: 'No hay cuentas', en: 'There are no accounts' },
  });
  return accountsOf(await client(), close);
}

function accountsOf(client: SupabaseClient, close: StaffAccounts['close']): StaffAccounts {
  const { admin } = client.auth;
  async function all(): Promise<User[]> {
    const users = new Map<string, User>();
    for (let page = 1; ; page += 1) {
      const { data, error } = await admin.listUsers({ page, perPage: PAGE });
      if (error) throw failure({ es: 'No se pudieron leer las cuentas', en: 'The accounts could not be read' }, error);
      const known = users.size;
      for (const user of data.users) users.set(user.id, user);
      if (users.size === known) return [...users.values()];
    }
  }

  async function named(email: string): Promise<User> {
    const user = (await all()).find((each) => each.email === email);
    if (!user) throw new OperatorError({ es: `${email} no tiene cuenta.`, en: `${email} has no account.` });
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
      if (error?.code === 'email_exists')
        throw new OperatorError({
          es: `${email} ya tiene cuenta: no se cambió nada.`,
          en: `${email} has an account already: nothing was changed.`,
        });
      if (error) throw failure({ es: 'No se pudo crear la cuenta', en: 'The account could not be made' }, error);
      return password;
    },
    async renewPassword(email) {
      const password = firstPassword();
      const { id } = await named(email);
      const { error } = await admin.updateUserById(id, { password, user_metadata: MUST_CHANGE });
      if (error)
        throw failure({ es: 'No se pudo cambiar la contraseña', en: 'The password could not be changed' }, error);
      return password;
    },
    async grant(email) {
      const user = await named(email);
      if (readUser(user).isStaff) return false;
      const { error } = await admin.updateUserById(user.id, { app_metadata: { role: 'staff' } });
      if (error) throw failure({ es: 'No se pudo dar el acceso', en: 'The role could not be granted' }, error);
      return true;
    },
    async setSupervisor(email, isSupervisor) {
      const { id } = await named(email);
      const { error } = await admin.updateUserById(id, { app_metadata: { supervisor: isSupervisor } });
      if (error) throw failure({ es: 'No se pudo cambiar el papel', en: 'The role could not be changed' }, error);
    },
    async removeFactors(email) {
      const { id: userId } = await named(email);
      const { data, error } = await admin.mfa.listFactors({ userId });
      if (error)
        throw failure({ es: 'No se pudo leer el segundo paso', en: 'The second step could not be read' }, error);
      for (const { id } of data.factors) {
        const { error: failed } = await admin.mfa.deleteFactor({ userId, id });
        // Recovery codes are deleted together with the last other factor, so they may be gone already.
        if (failed && failed.code !== 'mfa_factor_not_found')
          throw failure(
            { es: 'No se pudo quitar el segundo paso', en: 'The second step could not be removed' },
            failed,
          );
      }
      return data.factors.length > 0;
    },
    async remove(email) {
      const { id } = await named(email);
      // The removal is reported to the desk first: once the account is gone, nobody knows its id, and a failed report
      // could not be repeated.
      const { error: unreported } = await client.from('staff_signs').insert({ kind: 'baja', staff: id });
      if (unreported)
        throw new OperatorError({
          es: `No se quitó nada: la mesa de ventas no recibió la baja de ${email} (${unreported.message}).`,
          en: `Nothing was removed: the desk could not be told that ${email} leaves (${unreported.message}).`,
        });
      const { error } = await admin.deleteUser(id);
      if (error) throw failure({ es: 'No se pudo quitar la cuenta', en: 'The account could not be removed' }, error);
    },
    close,
  };
}

function readUser({ email = '', app_metadata: about, factors = [], created_at, last_sign_in_at }: User): StaffAccount {
  const name: unknown = about['name'];
  return {
    email,
    name: typeof name === 'string' ? name : '',
    isStaff: about['role'] === 'staff',
    isSupervisor: about['role'] === 'staff' && about['supervisor'] === true,
    hasFactor: factors.some(({ status }) => status === 'verified'),
    createdAt: created_at,
    lastSignInAt: last_sign_in_at ?? undefined,
  };
}

function failure(what: Bilingual, { message }: AuthError): OperatorError {
  return new OperatorError(eachLanguage(what, (words) => `${words}: ${message}`));
}
