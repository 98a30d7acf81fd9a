/**
 * Sets the number on the app icon; 0 clears it. Chromium on Linux shows none, and its headless shell kills a worker
 * that asks (156).
 */
export async function showBadge(count: number): Promise<void> {
  const { userAgentData } = navigator as { readonly userAgentData?: { readonly platform: string } };
  if (userAgentData?.platform !== 'Linux') await navigator.setAppBadge?.(count).catch(() => undefined);
}
