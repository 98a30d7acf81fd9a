import { createAuth } from '../../server/auth/handler.ts';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import type { Answer } from '../../server/http.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import { pgliteEngine } from '../integration/engines.ts';
import type { Keys } from './gateway.ts';

/**
 * Supabase Auth is not to be had as a package: the embedded server's sign-in stands in its place, with accounts of its
 * own and the secret by which PostgREST knows a token.
 */
export async function startSignIn(keys: () => Keys): Promise<{ answer: Answer; close: () => Promise<void> }> {
  const engine = await pgliteEngine();
  await engine.database.transaction([AUTH_SCHEMA]);
  let auth: Answer | undefined;
  const open = () => {
    const { publishable, signedWith } = keys();
    const gate = createGate({ anonKey: publishable, secret: signedWith });
    return createAuth({
      database: engine.database,
      gate,
      anonKey: publishable,
      secret: signedWith,
      limits: readLimits({}),
    });
  };
  return {
    async answer(request, address) {
      const { publishable, secret, service } = keys();
      const headers = new Headers(request.headers);
      const given = headers.get('apikey');
      if (given === secret) headers.set('apikey', service);
      // The newer keys are no tokens: behind the gateway there is the one that they stand for, or none.
      const bearer = headers.get('authorization')?.replace(/^Bearer +/, '');
      if (bearer === secret) headers.set('authorization', `Bearer ${service}`);
      if (bearer === publishable) headers.delete('authorization');
      const { method } = request;
      const body = request.body && (await request.arrayBuffer());
      return (auth ??= open())(new Request(request.url, { method, headers, body }), address);
    },
    close: () => engine.close(),
  };
}
