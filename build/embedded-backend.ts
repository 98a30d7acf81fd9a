import type { Plugin } from 'vite';
import { openBackend, type Backend } from '../server/backend.ts';
import { readSettings } from '../server/settings.ts';

/** Serves /rest/v1 and /auth/v1 in development, as `npm start` does, unless the site uses hosted Supabase. */
export function embeddedBackend(): Plugin {
  let backend: Backend | undefined;
  return {
    name: 'embedded-backend',
    apply: 'serve',
    async configureServer(server) {
      const settings = readSettings(process.env);
      if (settings.hosted) return;
      backend = await openBackend({ ...settings, serves: true });
      server.httpServer?.once('listening', () => {
        const bound = server.httpServer?.address();
        if (typeof bound === 'object' && bound) backend?.announce(`http://localhost:${bound.port}`);
      });
      for (const place of ['/rest/v1', '/auth/v1'])
        server.middlewares.use(place, (request, response, next) => {
          request.url = request.originalUrl ?? request.url;
          backend?.serve(request, response).catch(next);
        });
    },
    async closeBundle() {
      await backend?.close();
    },
  };
}
