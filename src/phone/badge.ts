/**
 * Sets the number on the icon of the installed page; 0 clears the icon. Chromium on Linux shows none, and there the
 * headless shell ends the process of a worker that asks (156).
 */
export async function showBadge(count: number): Promise<void> {
  const { userAgentData } = navigator as { readonly userAgentData?: { readonly platform: string } };
  if (userAgentData?.platform !== 'Linux') await navigator.setAppBadge?.(count).catch(() => undefined);
}
