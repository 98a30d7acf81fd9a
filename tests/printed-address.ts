import type { ChildProcess } from 'node:child_process';

/** Waits until a starting server prints its address, and returns it. Rejects with the output if the server ends. */
export function addressPrintedBy(server: ChildProcess): Promise<string> {
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
