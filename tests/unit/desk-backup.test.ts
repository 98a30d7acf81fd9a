import { expect, test } from 'vitest';
import { backupInWords } from '../../src/desk/backup.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const at = '2026-11-23T09:00:00Z';

test('the desk says how old the last backup is, and louder where the next one failed or there is none', () => {
  expect(backupInWords({ at, ok: true }, now).es).toMatch(/^Último respaldo: hace 3\sh\s0\smin\.$/);
  expect(backupInWords({ at, ok: false }, now).es).toMatch(
    /^EL RESPALDO FALLA: el último es de hace 3\sh\s0\smin\. Avise/,
  );
  expect(backupInWords({ at: null, ok: false }, now).es).toMatch(/^NO HAY RESPALDO\./);
});
