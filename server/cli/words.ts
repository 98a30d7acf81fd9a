import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The words that were typed are no use of the command: nothing was done. */
export class WrongUse extends Error {}

export function parseWords<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new WrongUse((error as Error).message);
  }
}

/** A command ends with a sentence where it fails: 2 where it was called wrongly, else 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(error instanceof WrongUse ? 2 : 1);
  }
}
