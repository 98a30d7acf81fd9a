import { expect, submit, test, values } from './visitor.ts';

// The test drives the browser’s built-in AI agent (WebMCP) through the DevTools protocol.

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--enable-features=WebMCP,DevToolsWebMCPSupport'] }),
});

test('a person must send values that a browser’s AI agent fills in', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const form = page.locator('#reservar-espacio');
  await expect(form).toHaveAttribute('toolname', 'solicitar_cotizacion');
  await form.locator('[name=nombre]').fill('Ana Ríos');
  const agent = await page.context().newCDPSession(page);
  const tools: { readonly name: string }[] = [];
  agent.on('WebMCP.toolsAdded' as never, (event: { readonly tools: typeof tools }) => tools.push(...event.tools));
  await agent.send('WebMCP.enable' as never);
  await expect.poll(() => tools.map(({ name }) => name)).toEqual(['solicitar_cotizacion']);
  const { frameTree } = await agent.send('Page.getFrameTree');
  const { nombre: _typed, ...input } = values;
  await agent.send(
    'WebMCP.invokeTool' as never,
    { frameId: frameTree.frame.id, toolName: tools[0]!.name, input } as never,
  );

  const marks = form.getByRole('group', { name: /Por confirmar/ });
  await expect(marks).toHaveCount(5);
  await expect(form.locator('[name=nombre]')).toHaveValue('Ana Ríos');
  await form
    .getByRole('group', { name: /^Empresa: Por confirmar/ })
    .getByRole('button', { name: 'Deshacer' })
    .click();
  await expect(form.locator('[name=empresa]')).toHaveValue('');
  await form.locator('[name=empresa]').fill(values.empresa);
  await submit(page);
  await expect(page.getByText('Antes de enviar, confirme los datos marcados.').first()).toBeVisible();
  expect(await service.rowsOf('Ana Ríos')).toEqual([]);
  // The form ignores a click right after it refused to send, so the test repeats the click.
  await expect(async () => {
    await form.getByRole('button', { name: 'Todo está bien' }).click({ timeout: 1000 });
    await expect(marks).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await submit(page);
  await expect.poll(() => service.rowsOf('Ana Ríos')).toHaveLength(1);
});
