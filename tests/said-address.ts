import type { ChildProcess } from 'node:child_process';

/** Resolves to the address that a starting server prints. Rejects with the output of a server that ends before. */
export function addressSaidBy(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => {
        output += text.toString();
        const address = /AeroPuente is at (\S+)/.exec(output)?.[1];
        if (address) resolve(address);
      });
    server.once('close', () => reject(new Error(`It ended without saying where it is: ${output}`)));
  });
}
