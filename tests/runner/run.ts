import { spawn } from 'node:child_process';

export function run(command: string, environment: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number; output: string }>((resolve) => {
    const env = { ...process.env, FORCE_COLOR: '0', ...environment };
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
    child.on('close', (code) => resolve({ status: code ?? 1, output }));
  });
}
