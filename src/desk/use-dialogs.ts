import { useState } from 'react';
import type { DialogName } from './DeskDialogs.tsx';

/** The open dialog. A person's first session begins with alerts, then the shortcuts. */
export function useDialogs(isFirst: boolean) {
  const [dialog, setDialog] = useState<DialogName | undefined>(isFirst ? 'alerts' : undefined);
  const [isWelcome, setWelcome] = useState(isFirst);
  const close = () => {
    setDialog(isWelcome ? 'keys' : undefined);
    setWelcome(false);
  };
  return [dialog, setDialog, close] as const;
}
