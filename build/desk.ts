import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { scopedName } from './class-names.ts';
import { constants, type Environment } from './environment.ts';
import { target } from './styles.ts';
import { inlineTokens } from './tokens.ts';

/** The document of the desk, and the folder of its files. */
export const DESK = 'mesa.html';
const FOLDER = 'mesa';

/**
 * A build of its own, after that of the site: nothing of the desk is in a chunk that a visitor loads, nor in the list of
 * the visitor's worker, and the other way round.
 */
export function deskBuild(environment: Environment): InlineConfig {
  return {
    root: process.cwd(),
    configFile: false,
    envDir: false,
    publicDir: 'public',
    logLevel: 'warn',
    define: constants(environment),
    plugins: [react(), inlineTokens()],
    resolve: {
      alias: [
        { find: /^@supabase\/(storage|functions|realtime)-js$/, replacement: path.resolve('build/unused-clients.ts') },
      ],
    },
    css: { modules: { generateScopedName: scopedName } },
    build: {
      target,
      emptyOutDir: false,
      copyPublicDir: false,
      assetsDir: FOLDER,
      modulePreload: false,
      reportCompressedSize: false,
      // One chunk for a page that is open all day; what it may weigh on its way is tested (tests/integration/budgets.ts).
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: { input: DESK, checks: { pluginTimings: false } },
    },
  };
}

/** The worker of the desk, which shows alerts and keeps no file. It is one classic file at the root, fetched at each update. */
export function deskWorkerBuild(environment: Environment): InlineConfig {
  return {
    root: process.cwd(),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    define: constants(environment),
    build: {
      target,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: 'sw/desk.ts',
        output: { format: 'iife', entryFileNames: 'mesa-worker.js' },
        checks: { pluginTimings: false },
      },
    },
  };
}
