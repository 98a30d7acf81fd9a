interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string }) => void): void;
}

/** A shortcut of the icon comes to the window that is open: what is written there stays. */
export function openWhatIsLaunched(): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ targetURL }) => {
    const hash = targetURL && new URL(targetURL).hash;
    if (hash) location.hash = hash;
  });
}
