import { useState, type ComponentProps } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { FiguresDialog } from './figures/FiguresDialog.tsx';
import { SystemDialog } from './figures/SystemDialog.tsx';
import { ImportDialog, SecurityDialog, WebhooksDialog } from './lazy-parts.tsx';
import type { Lead } from './lead/lead.ts';
import { ShortcutsDialog } from './list/ShortcutsDialog.tsx';
import { NewLead } from './list/NewLead.tsx';
import { ReceivedDialog } from './list/ReceivedDialog.tsx';
import { LeaveDialog } from './session/LeaveDialog.tsx';
import { AlertsDialog } from './team/AlertsDialog.tsx';

export type DialogName =
  | 'keys'
  | 'new'
  | 'figures'
  | 'alerts'
  | 'system'
  | 'webhooks'
  | 'leave'
  | 'received'
  | 'import'
  | 'steps'
  | 'security';

interface Props extends Omit<ComponentProps<typeof FiguresDialog>, 'onClose'> {
  readonly name: DialogName | undefined;
  /** Open leads of the person at the desk. */
  readonly mine: readonly Lead[];
  readonly onOpen: (lead: Lead, text: Text) => void;
  readonly onImport: () => void;
  readonly onClose: () => void;
}

export function DeskDialogs({ name, mine, onOpen, onImport, onClose, ...figures }: Props) {
  switch (name) {
    case 'figures':
      return <FiguresDialog {...figures} onClose={onClose} />;
    case 'alerts':
      return <AlertsDialog onClose={onClose} />;
    case 'system':
      return <SystemDialog onClose={onClose} />;
    case 'webhooks':
      return <WebhooksDialog onClose={onClose} />;
    case 'leave':
      return <LeaveDialog leads={mine} onClose={onClose} />;
    case 'keys':
      return <ShortcutsDialog onClose={onClose} />;
    case 'new':
      return <NewLead onClose={onClose} onOpen={onOpen} onImport={onImport} />;
    case 'import':
    case 'steps':
      return <ImportDialog of={name} onClose={onClose} />;
    case 'received':
      return <ReceivedDialog onClose={onClose} onOpen={onOpen} />;
    case 'security':
      return <SecurityDialog onClose={onClose} />;
    case undefined:
      return null;
  }
}

/** State of the open dialog. A person's first session opens the dialog about alerts, then the one about shortcuts. */
export function useDialogs(isFirst: boolean) {
  const [dialog, setDialog] = useState<DialogName | undefined>(isFirst ? 'alerts' : undefined);
  const [isWelcome, setWelcome] = useState(isFirst);
  const close = () => {
    setDialog(isWelcome ? 'keys' : undefined);
    setWelcome(false);
  };
  return [dialog, setDialog, close] as const;
}
