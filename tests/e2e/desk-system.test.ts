import { expectNoFinding } from './accessible.ts';
import { deskOf, hireSupervisor, openDesk, openDialog } from './desk-visitor.ts';
import { DESKTOP, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

test('supervisors can open the system status and the webhooks, other colleagues cannot', async ({ page, service }) => {
  await openDesk(page, await hireSupervisor(service));
  await openDialog(page, 'Estado del sistema');
  const checks = page.getByRole('dialog', { name: 'Estado del sistema' }).getByRole('listitem');
  const backups = checks.filter({ hasText: 'Respaldos: ninguno' });
  await expect(backups).toContainText('Falla');
  await expect(backups).toContainText('BACKUP_DIR en los ajustes, en otro disco');
  await expect(checks.filter({ hasText: 'Servidor: responde.' })).toContainText('Bien');
  await expectNoFinding(page, 'system status', 'dialog');
  const other = await deskOf(page, service, 'Ana Ruiz');
  await other.getByRole('button', { name: 'Más' }).first().click();
  await expect(other.getByRole('button', { name: 'Indicadores' })).toBeVisible();
  for (const name of ['Estado del sistema', 'Webhooks'])
    await expect(other.getByRole('button', { name })).toHaveCount(0);
});
