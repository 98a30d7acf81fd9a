import { expect, test } from 'vitest';
import { senderInWords } from '../../src/desk/sender.ts';

const at = (time: string) => new Date(`2026-11-23T${time}:00-08:00`);
const says = (ranAt: string | null, now: string) =>
  senderInWords(ranAt && at(ranAt).toISOString(), at(now).getTime())?.es;

test('the desk says since when alerts are not sent, once three minutes in a row nobody looked', () => {
  expect(says('14:05', '14:07')).toBeUndefined();
  expect(says('14:05', '14:09')).toBe(
    'El envío de avisos no responde desde las 14:05. Avise a quien cuida el servidor.',
  );
  expect(says('01:05', '14:09')).toMatch(/^El envío de avisos no responde desde la 01:05\./);
  expect(senderInWords('2026-11-22T22:05:00Z', at('14:09').getTime())?.es).toMatch(/desde ayer 14:05\./);
  expect(senderInWords('2026-11-02T22:05:00Z', at('14:09').getTime())).toEqual({
    es: 'El envío de avisos no responde desde el 2 de noviembre, 14:05. Avise a quien cuida el servidor.',
    en: 'What sends alerts has not answered since 2 November, 14:05. Tell whoever looks after the server.',
  });
  expect(says(null, '14:05')).toBe('El envío de avisos no ha respondido nunca. Avise a quien cuida el servidor.');
});
