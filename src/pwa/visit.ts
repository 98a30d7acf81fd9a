/** The bytes that this visit has fetched so far, and those with everything that is fetched for later. */
export function visitInKilobytes(): { readonly used: number; readonly otherwise: number } {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const used = (entries as PerformanceResourceTiming[]).reduce((sum, { transferSize }) => sum + transferSize, 0);
  // Written into the document by the build.
  const whole = Number(document.documentElement.dataset['weight'] ?? 0);
  return { used: Math.ceil(used / 1000), otherwise: Math.ceil((used + whole) / 1000) };
}
