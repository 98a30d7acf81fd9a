/**
 * Sets the number on the app's icon; 0 removes it. Does nothing on Linux, where Chromium shows no number, and headless
 * Chromium 156 even kills a worker that sets one.
 */
export async function showBadge(count: number): Promise<void> {
  const { userAgentData } = navigator as { readonly userAgentData?: { readonly platform: string } };
  if (userAgentData?.platform !== 'Linux') await navigator.setAppBadge?.(count).catch(() => undefined);
}
