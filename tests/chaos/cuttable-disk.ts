import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ForgetfulDisk, ODDS } from '../disk/forgetful.ts';
import { deedsIn } from '../disk/recorded.ts';
import { copyFolder, SHORT_LIVED } from '../run-folder.ts';

const run = promisify(execFile);

/** Data folder of a server, on a simulated disk whose power can be cut after the server was killed. */
export class CuttableDisk {
  readonly dataDir: string;
  readonly #root: string;
  readonly #base: string;
  readonly #record: string;
  readonly #backup: string;

  /** `folder` must be empty. */
  constructor(folder: string) {
    this.#root = path.join(folder, 'disk');
    this.#base = path.join(folder, 'base');
    this.#record = path.join(folder, 'record');
    this.#backup = path.join(folder, 'backup.tar.gz');
    this.dataDir = path.join(this.#root, 'data');
  }

  /** Environment variables that let a server record its writes to this disk. */
  get environment(): Record<string, string> {
    const recorder = pathToFileURL(path.resolve('tests/disk/recorded.ts')).href;
    return { NODE_OPTIONS: `--import ${recorder}`, RECORDED_FOLDER: this.#root, RECORD: this.#record };
  }

  /** Counts the disk’s present content as synced, so that the next power cut cannot lose this content. */
  async settle(): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    await rm(this.#base, { recursive: true, force: true });
    copyFolder(this.#root, this.#base);
    await writeFile(this.#record, '');
  }

  async cut(chance: () => number): Promise<void> {
    const disk = new ForgetfulDisk(this.#base);
    for (const { deed, payload } of deedsIn(await readFile(this.#record))) disk.carryOut(deed, payload);
    await rm(this.#root, { recursive: true });
    await mkdir(this.#root);
    disk.leaveIn(this.#root, ODDS[Math.floor(chance() * ODDS.length)]!, chance);
    await this.settle();
  }

  /** Makes a backup with the operator’s command while the server runs. */
  async backUp(): Promise<void> {
    await rm(this.#backup, { force: true });
    await this.#command('backup');
  }

  /** Replaces the present database with the database from the backup. */
  async restore(): Promise<void> {
    const database = path.join(this.dataDir, 'database');
    await rename(database, `${this.#base}-lost`);
    await this.#command('restore');
    await rm(`${this.#base}-lost`, { recursive: true });
    await this.settle();
  }

  async #command(action: 'backup' | 'restore'): Promise<void> {
    const env = { ...process.env, DATA_DIR: this.dataDir };
    await run(process.execPath, [SHORT_LIVED, 'server/cli/backup.ts', action, this.#backup], { env });
  }
}
