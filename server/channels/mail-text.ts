import { replyMarker } from '../../src/content/customer-mail.ts';
import { englishWords, spanishWords } from '../../src/content/bilingual.ts';

/** Maximum number of characters that are searched, because a stranger may send a very long text. */
const LONGEST = 100_000;
const OWN_MARKERS = [spanishWords(replyMarker), englishWords(replyMarker)].map((marker) =>
  marker.replaceAll('—', '').trim(),
);
const QUOTED = /^\s*>/;
/** Line with which mail programs introduce the quoted mail. Gmail and Apple Mail split this line into two or three. */
const WROTE =
  /^\s*(El|On|Am|Le|Em|Il|在).{4,300}(escribió|wrote|schrieb|a écrit|escreveu|ha scritto|写道)\s*[:：]\s*$/su;
const MARKERS =
  /^\s*(-{2,}\s*(original message|mensaje original|mensaje reenviado|forwarded message|原始邮件)\s*-{2,}|_{20,})\s*$/i;
const FROM = /^\s*\*?(De|From|发件人)\s*[:：]\*?\s.*/i;
const SENT = /^\s*\*?(Enviado|Enviado el|Fecha|Sent|Date|发送时间|日期)( el)?\s*[:：]/i;
const SIGNATURE = /^-- ?$/;
const DEVICE = /^\s*(enviado desde mi|sent from my|obtener outlook para|get outlook for|发自我的)\s?.{0,60}$/i;

/** Returns the index of the line at which the quoted mail begins, or the number of lines if no mail is quoted. */
function quoteAt(lines: readonly string[]): number {
  const at = lines.findIndex((line, place) => {
    if (OWN_MARKERS.some((marker) => line.includes(marker))) return true;
    if (MARKERS.test(line) || QUOTED.test(line)) return true;
    if (FROM.test(line)) return lines.slice(place + 1, place + 5).some((next) => SENT.test(next));
    return [1, 2, 3].some((count) => WROTE.test(lines.slice(place, place + count).join(' ')));
  });
  return at < 0 ? lines.length : at;
}

/** Line that a mail program writes in place of a picture. */
const PICTURE = /^\s*\[(https?:|cid:)[^\]]*\]\s*$/;

/** Removes pictures, control characters, trailing spaces and runs of empty lines. */
const tidy = (lines: readonly string[]) =>
  lines
    .filter((line) => !PICTURE.test(line))
    .map((line) => line.replaceAll(/[^\P{Cc}\t]/gu, '').trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Cuts the quoted mail and the signature off a reply. `body`: the text that the customer wrote. `whole`: the text
 * before the cut.
 */
export function cutReply(text: string): { readonly body: string; readonly whole: string } {
  const lines = text.slice(0, LONGEST).replaceAll(/\r\n?/g, '\n').split('\n');
  const whole = tidy(lines);
  const at = quoteAt(lines);
  const own = lines.slice(0, at);
  const signature = own.findIndex((line) => SIGNATURE.test(line));
  const above = tidy(signature > 0 ? own.slice(0, signature) : own)
    .split('\n')
    .filter((line, place, all) => !(DEVICE.test(line) && place >= all.length - 2))
    .join('\n')
    .trim();
  // Customers may write below or between the quoted lines. This text is used if they wrote none above.
  const rest = lines.slice(at);
  const below = rest.some((line) => QUOTED.test(line)) && !above ? rest.filter((line) => !QUOTED.test(line)) : [];
  const isQuote = (line: string, place: number) => quoteAt(below.slice(place, place + 3)) === 0 || WROTE.test(line);
  const between = tidy(below.filter((line, place) => !isQuote(line, place)));
  return { body: above || between || whole, whole };
}
