import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findOnPath } from '../../build/on-path.ts';
import { caddySite, type Installation } from '../../server/service/files.ts';
import { freePort } from '../free-port.ts';

/** Reason why the tests with Caddy are skipped; empty if Caddy is installed. */
export const whyNoCaddy = findOnPath('caddy') ? '' : 'left out: Caddy is not installed (apt-get install caddy)';

/** Starts Caddy with the Caddyfile of an installation, on free ports and with Caddy's own certificate authority. */
export async function startCaddy(folder: string, installation: Installation) {
  const [http, https] = [await freePort(), await freePort()];
  const options = `{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
  const config = path.join(folder, 'Caddyfile');
  writeFileSync(
    config,
    options + caddySite(installation, spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout),
  );
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const parameters = ['--adapter', 'caddyfile', '--config', config];
  const judged = spawnSync('caddy', ['validate', ...parameters], { env: environment, encoding: 'utf8' });
  expect(judged.status, judged.stderr).toBe(0);
  const caddy = spawn('caddy', ['run', ...parameters], { env: environment, stdio: 'ignore' });
  const ended = once(caddy, 'close');
  onTestFinished(async () => {
    caddy.kill('SIGTERM');
    await ended;
  });
  const root = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  const leaf = path.join(folder, `caddy/certificates/local/${installation.domain}/${installation.domain}`);
  // Caddy listens before it makes the certificate, and writes the description last.
  await expect.poll(() => existsSync(`${leaf}.json`)).toBe(true);
  const { publicKey } = new X509Certificate(readFileSync(`${leaf}.crt`));
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const origin = `https://${installation.domain}:${https}`;
  return { origin, spki, ask: asker(https, installation.domain, readFileSync(root, 'utf8')) };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Local IP address that sends the request, to simulate another visitor. */
  readonly from?: string;
}

/** Returns a function that sends requests, and trusts only Caddy’s own certificate authority. */
function asker(port: number, servername: string, ca: string) {
  return (where: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asked = {}) =>
    new Promise<{ status: number }>((resolve, reject) => {
      const options = { port, path: where, method, ca, servername, localAddress: from, agent: false };
      request({ ...options, host: '127.0.0.1', headers: { host: `${servername}:${port}`, ...headers } }, (response) =>
        response.resume().once('end', () => resolve({ status: response.statusCode! })),
      )
        .once('error', reject)
        .end(body);
    });
}
