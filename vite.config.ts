import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { importChunks } from './build/import-chunks.ts';
import { embeddedBackend } from './build/embedded-backend.ts';
import { chunks } from './build/chunks.ts';
import { scopedName } from './build/class-names.ts';
import { drawPictures } from './build/drawings.ts';
import { checkEnvironment, constants, readEnvironment } from './build/environment.ts';
import { prerender } from './build/prerender.ts';
import { pwa } from './build/pwa.ts';
import { target } from './build/styles.ts';
import { inlineTokens } from './build/tokens.ts';

export default defineConfig(({ mode }) => {
  const environment = readEnvironment();
  checkEnvironment(environment);
  const shared: UserConfig = {
    root: import.meta.dirname,
    envDir: false,
    mode,
    define: constants(environment),
    plugins: [react(), inlineTokens()],
    css: { modules: { generateScopedName: scopedName } },
    build: { target },
  };
  return {
    ...shared,
    plugins: [
      importChunks(),
      prerender(shared),
      react(),
      inlineTokens(),
      embeddedBackend(),
      drawPictures(),
      pwa('dist', environment),
    ],
    resolve: {
      alias: [
        // The package's default entry is a single file, from which unused modules cannot be dropped.
        { find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' },
        // The package's default entry is its development build.
        { find: /^workbox-window$/, replacement: 'workbox-window/build/workbox-window.prod.mjs' },
      ],
    },
    build: {
      ...shared.build,
      modulePreload: {
        polyfill: false,
        // Each dynamic import lists the chunks to preload. `index` and `line` are left out, because every page has
        // already loaded them and their names cost bytes.
        resolveDependencies: (_, needed) => needed.filter((name) => !/\/(index|line)-/.test(name)),
      },
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        // Constants shared by chunks are inlined, which saves imports.
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        // Vite would build the call library even for a site without calls. `external` leaves it out.
        external: environment['VITE_VAPI_PUBLIC_KEY'] ? [] : ['@vapi-ai/web'],
        output: {
          codeSplitting: { groups: chunks },
        },
      },
    },
    // Entries are named, because Vite would also scan the pages of bench/peers, whose packages may be missing.
    optimizeDeps: { entries: ['index.html', 'mesa.html'] },
    server: { port: 5173 },
  };
});
