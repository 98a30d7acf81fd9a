import { isId } from '../../src/lead/quote.ts';
import { type Accounts, readEmail, userOf } from './accounts.ts';
import { answered, readBody } from './body.ts';
import type { Factors } from './factors.ts';
import { hashPassword, isLongEnough } from './passwords.ts';
import { AuthRefusal } from './refusal.ts';

const PAGE = 50;
const MOST_A_PAGE = 1000;

/**
 * Answers the `auth.admin` requests of supabase-js, which `aeropuente staff` sends. The caller has checked the service
 * key.
 */
export function createAdmin(accounts: Accounts, factors: Pick<Factors, 'removeAndEnd'>, mostBytes: number) {
  async function list(search: URLSearchParams): Promise<Response> {
    const limit = Math.min(Number(search.get('per_page')) || PAGE, MOST_A_PAGE);
    const offset = ((Number(search.get('page')) || 1) - 1) * limit;
    return answered({ users: (await accounts.list({ limit, offset })).map(userOf), aud: 'authenticated' });
  }

  async function add(request: Request): Promise<Response> {
    const { email, password, app_metadata: about } = await readBody(request, mostBytes);
    const { name, supervisor, second_factor } = (about ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof email !== 'string' || typeof name !== 'string') throw invalid('An account has an e-mail and a name');
    const hash = await hashed(password);
    const account = await accounts.add({
      email: readEmail(email),
      name,
      supervisor: supervisor === true,
      isFactorOptional: second_factor === 'optional',
      password: hash,
    });
    if (!account) throw new AuthRefusal(422, 'email_exists', 'This e-mail has an account already');
    return answered(userOf(account));
  }

  async function change(request: Request, id: string): Promise<Response> {
    const { password, app_metadata: about } = await readBody(request, mostBytes);
    const { supervisor } = (about ?? {}) as { supervisor?: unknown };
    const account =
      password === undefined && typeof supervisor === 'boolean'
        ? await accounts.setSupervisor(id, supervisor)
        : await accounts.setPassword(id, await hashed(password));
    if (!account) throw notFound();
    return answered(userOf(account));
  }

  async function show(id: string): Promise<Response> {
    const account = await accounts.find(id);
    if (!account) throw notFound();
    return answered(userOf(account));
  }

  async function remove(id: string): Promise<Response> {
    if (!(await accounts.remove(id))) throw notFound();
    return answered({});
  }

  async function listFactors(id: string): Promise<Response> {
    const account = await accounts.find(id);
    if (!account) throw notFound();
    return answered(account.factors);
  }

  async function removeFactor(id: string, factor: string): Promise<Response> {
    if (!isId(factor) || !(await factors.removeAndEnd(id, factor)))
      throw new AuthRefusal(404, 'mfa_factor_not_found', 'Factor not found');
    return answered({ id: factor });
  }

  return (request: Request, path: string, search: URLSearchParams): Promise<Response> => {
    const [, place, id = '', more = '', factor = ''] =
      /^\/(users)(?:\/([^/]*)(?:\/(factors)(?:\/([^/]+))?)?)?$/.exec(path) ?? [];
    const what = [request.method, place, id && (isId(id) ? 'one' : id), more, factor && 'one']
      .filter(Boolean)
      .join(' ');
    if (what === 'GET users') return list(search);
    if (what === 'POST users') return add(request);
    if (what === 'GET users one') return show(id);
    if (what === 'PUT users one') return change(request, id);
    if (what === 'DELETE users one') return remove(id);
    if (what === 'GET users one factors') return listFactors(id);
    if (what === 'DELETE users one factors one') return removeFactor(id, factor);
    throw notFound();
  };
}

async function hashed(password: unknown): Promise<string> {
  if (typeof password !== 'string' || !isLongEnough(password)) throw invalid('A password has 12 to 200 characters');
  return hashPassword(password);
}

function invalid(message: string): AuthRefusal {
  return new AuthRefusal(400, 'validation_failed', message);
}

function notFound(): AuthRefusal {
  return new AuthRefusal(404, 'user_not_found', 'There is nothing here');
}
