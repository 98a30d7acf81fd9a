import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Where it can be asked from now on: on a port that was free. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
