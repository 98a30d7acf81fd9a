/** Where it broke, not with what: messages and properties of an error may hold a visitor's data. One line. */
export function reportError(error: unknown, doing: string): void {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  // A message can look like a frame.
  const frames = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  console.error([`${name} while ${doing}`, ...frames.map((frame) => frame.trim())].join(' '));
}
