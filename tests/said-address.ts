import type { ChildProcess } from 'node:child_process';

/** Where a server that was started serves, once it says so; throws what it said where it ends before. */
export function addressSaidBy(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => {
        said += text.toString();
        const address = /AeroPuente is at (\S+)/.exec(said)?.[1];
        if (address) resolve(address);
      });
    server.once('close', () => reject(new Error(`It ended without saying where it is: ${said}`)));
  });
}
