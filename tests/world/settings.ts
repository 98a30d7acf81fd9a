import { registerHooks } from 'node:module';

// Gives the page's code an `import.meta.env` without settings. Vite does so in the site, and Node has none.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/config.ts')) return loaded;
    return { ...loaded, source: `import.meta.env = {};\n${new TextDecoder().decode(loaded.source as Uint8Array)}` };
  },
});
