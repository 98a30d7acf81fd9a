import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { handlingOf } from '../build/notice.ts';

/** A notice that was built for other settings says what is not so: undefined where it is right, or there is none. */
export function noticeIsWrong(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!existsSync(file)) return undefined;
  const [, written] = /data-handling="([^"]*)"/.exec(readFileSync(file, 'utf8')) ?? [];
  if (!written) return undefined;
  const said = JSON.parse(
    written.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&'),
  ) as object;
  const now = handlingOf(environment) as object as Record<string, unknown>;
  const wrong = Object.entries(said).filter(([name, value]) => !isDeepStrictEqual(value, now[name]));
  if (wrong.length === 0) return undefined;
  return `The privacy notice of this build says otherwise than the settings (${wrong.map(([name]) => name).join(', ')}): npm run build makes it anew.`;
}
