import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { scopedName } from './class-names.ts';
import { constants, type BuildEnvironment } from './environment.ts';
import { target } from './styles.ts';
import { inlineTokens } from './tokens.ts';

/**
 * Chunks of the desk with their entry modules: the desk itself, the second step of signing in (few people need it), and
 * the dialogs that import files.
 */
const CHUNKS = [
  { name: 'desk', test: /rolldown\/runtime|\/src\/desk\/main\.tsx/ },
  { name: 'factor', test: /\/src\/desk\/factor\// },
  { name: 'imports', test: /\/src\/desk\/imports\// },
];

/** Document of the desk, and folder of its files. */
export const DESK = 'mesa.html';
const FOLDER = 'mesa';

/**
 * Configures the desk's own build, which runs after the site's. Because the builds are separate, the visitors' files
 * contain no part of the desk, and the desk's files no part of the visitors' page.
 */
export function deskBuild(environment: BuildEnvironment): InlineConfig {
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
        // Stubs replace auth-js's modules for sign-in by passkey or wallet, which the desk does not offer.
        { find: /^\.\/lib\/(webauthn|web3\/ethereum)$/, replacement: path.resolve('build/unused-sign-ins.ts') },
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
      // Styles are in one sheet, and scripts in few chunks: the page loads once and stays open all day.
      cssCodeSplit: false,
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: {
        input: DESK,
        output: { codeSplitting: { groups: CHUNKS } },
        checks: { pluginTimings: false },
      },
    },
  };
}

/**
 * Configures the build of the desk's worker, which shows alerts and stores no files: one classic script at the root.
 */
export function deskWorkerBuild(environment: BuildEnvironment): InlineConfig {
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
