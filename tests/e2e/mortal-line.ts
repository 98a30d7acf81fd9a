import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Proxy in front of a server. It limits the speed, and breaks all connections after every `lives` bytes. */
export class MortalLine {
  /** Number of bytes after which all connections break; Infinity if they never break. */
  lives = Number.POSITIVE_INFINITY;
  bytesPerSecond = Number.POSITIVE_INFINITY;
  deaths = 0;
  origin = '';
  #carried = 0;
  #freeAt = 0;
  readonly #open = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async before(origin: string): Promise<MortalLine> {
    const line = new MortalLine(Number(new URL(origin).port));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    line.origin = `http://localhost:${(line.#server.address() as AddressInfo).port}`;
    return line;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#die();
    await closed;
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#open.delete(from);
        to.destroy();
      });
      from.on('data', (chunk: Buffer) => {
        this.#carried += chunk.length;
        if (this.#carried < this.lives) return this.#pass(from, to, chunk);
        this.deaths += 1;
        this.#carried = 0;
        this.#die();
      });
    }
  }

  /** Passes a chunk on, then pauses its sender, because both directions share the limited speed. */
  #pass(from: Socket, to: Socket, chunk: Buffer): void {
    const now = performance.now();
    this.#freeAt = Math.max(now, this.#freeAt) + (1000 * chunk.length) / this.bytesPerSecond;
    to.write(chunk);
    from.pause();
    setTimeout(() => from.resume(), this.#freeAt - now);
  }

  #die(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
