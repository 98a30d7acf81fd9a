import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Starts the server on a free port, and resolves to its address. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
