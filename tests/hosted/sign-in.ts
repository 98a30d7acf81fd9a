import { createAuth } from '../../server/auth/handler.ts';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import type { WebHandler } from '../../server/http.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import { pgliteEngine } from '../integration/engines.ts';
import type { Keys } from './gateway.ts';

/**
 * Starts a substitute for Supabase Auth, because no package contains Supabase Auth. The substitute is the sign-in of
 * our embedded server. It signs its tokens with the secret that PostgREST checks.
 */
export async function startSignIn(keys: () => Keys): Promise<{ answer: WebHandler; close: () => Promise<void> }> {
  const engine = await pgliteEngine();
  await engine.database.transaction([AUTH_SCHEMA]);
  let auth: WebHandler | undefined;
  const open = () => {
    const { publishable, signedWith } = keys();
    const gate = createGate({ publishableKey: publishable, secret: signedWith });
    return createAuth({
      database: engine.database,
      gate,
      publishableKey: publishable,
      secret: signedWith,
      limits: readLimits({}),
    });
  };
  return {
    async answer(request, address) {
      const { secret, service } = keys();
      const headers = new Headers(request.headers);
      const given = headers.get('apikey');
      // A real gateway replaces the secret key with a token of the same role. The embedded sign-in knows only that
      // token.
      if (given === secret) headers.set('apikey', service);
      const { method } = request;
      const body = request.body && (await request.arrayBuffer());
      return (auth ??= open())(new Request(request.url, { method, headers, body }), address);
    },
    close: () => engine.close(),
  };
}
