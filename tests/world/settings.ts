import { registerHooks } from 'node:module';

// Defines an `import.meta.env` without settings for the page’s code. Vite defines it in the site; Node does not.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/config.ts')) return loaded;
    return { ...loaded, source: `import.meta.env = {};\n${new TextDecoder().decode(loaded.source as Uint8Array)}` };
  },
});
