/** Logs where an error happened, without its message, which may contain a visitor's data. */
export function reportError(error: unknown, activity: string): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  // Removed, because it may look like a frame.
  const frames = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  console.error([`${name} while ${activity}`, ...frames.map((frame) => frame.trim())].join(' '));
}
