/** Number on the icon of the installed page; 0 clears it. Other browsers lack it, or refuse it to a page in a tab. */
export async function showBadge(count: number): Promise<void> {
  await navigator.setAppBadge?.(count).catch(() => undefined);
}
