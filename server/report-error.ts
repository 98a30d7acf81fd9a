/**
 * Logs where an error happened, without its message. The message may contain a visitor's data, even in a line that
 * looks like a stack frame.
 */
export function reportError(error: unknown, activity: string): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  const frames = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  console.error([`${name} while ${activity}`, ...frames.map((frame) => frame.trim())].join(' '));
}
