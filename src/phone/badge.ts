/**
 * Sets the number on the app icon; 0 removes it. Chromium on Linux shows none, and its headless shell (version 156)
 * kills a worker that sets one.
 */
export async function showBadge(count: number): Promise<void> {
  const { userAgentData } = navigator as { readonly userAgentData?: { readonly platform: string } };
  if (userAgentData?.platform !== 'Linux') await navigator.setAppBadge?.(count).catch(() => undefined);
}
