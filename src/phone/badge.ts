/** Sets the number on the icon of the installed page; 0 clears the icon. Some browsers have no numbers, or refuse them to a tab. */
export async function showBadge(count: number): Promise<void> {
  await navigator.setAppBadge?.(count).catch(() => undefined);
}
