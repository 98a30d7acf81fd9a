import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { constants } from '../../build/environment.ts';
import { expect, test, withoutWorker } from './visitor.ts';

test.use(withoutWorker);

/** The page mounts the map once; here it is mounted and unmounted repeatedly. */
const COMES_AND_GOES = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { MapView } from '/src/network/MapView.tsx';
  window.comeAndGo = async (times) => {
    for (let time = 0; time < times; time += 1) {
      const place = document.body.appendChild(document.createElement('div'));
      const root = createRoot(place);
      await new Promise((onReady) => root.render(createElement(MapView, { onReady, asked: { away: false, steps: 0 } })));
      await new Promise(requestAnimationFrame);
      root.unmount();
      place.remove();
    }
  };
`;
const PAGE = '<!doctype html><body><script type="module" src="/comes-and-goes.js"></script>';

const harness: Plugin = {
  name: 'harness',
  resolveId: (id) => (id === '/comes-and-goes.js' ? id : null),
  load: (id) => (id === '/comes-and-goes.js' ? COMES_AND_GOES : null),
  configureServer: (server) => () => {
    server.middlewares.use((_, response, next) => {
      server
        .transformIndexHtml('/', PAGE)
        .then((html) => response.setHeader('content-type', 'text/html').end(html))
        .catch(next);
    });
  },
};

let server: ViteDevServer;
test.beforeAll(async () => {
  server = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    cacheDir: '.cache/mounts',
    define: constants({}),
    plugins: [react(), harness],
    optimizeDeps: {
      noDiscovery: true,
      include: ['react', 'react-dom', 'react-dom/client', 'react-leaflet', 'leaflet'],
    },
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
  });
  await server.listen();
});
test.afterAll(() => server.close());

test('a map mounted and unmounted fifty times leaves nothing behind', async ({ page, quiet }) => {
  quiet.allow(/Download the React DevTools|\[vite\] connect/);
  await page.goto(server.resolvedUrls!.local[0]!);
  await page.waitForFunction(() => 'comeAndGo' in window);
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const comeAndGo = (times: number) =>
    page.evaluate(
      (count) => (window as unknown as { comeAndGo: (count: number) => Promise<void> }).comeAndGo(count),
      times,
    );
  const memory = async () => {
    await client.send('HeapProfiler.collectGarbage');
    const { metrics } = await client.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await comeAndGo(10);
  const baseline = await memory();
  await comeAndGo(50);
  // The last map may be released a moment later.
  await expect(async () => {
    const after = await memory();
    // A single map has some 170 nodes and 100 listeners.
    expect(after['Nodes']! - baseline['Nodes']!).toBeLessThan(300);
    expect(after['JSEventListeners']! - baseline['JSEventListeners']!).toBeLessThan(40);
    expect(after['JSHeapUsedSize']! - baseline['JSHeapUsedSize']!).toBeLessThan(3_000_000);
  }).toPass({ timeout: 10_000 });
});
