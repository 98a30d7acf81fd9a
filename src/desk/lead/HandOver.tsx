import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Select } from '../../ui/Field.tsx';
import { useDesk } from '../context.ts';
import { useWhoIsHere } from '../team/use-who-is-here.ts';
import { SubForm } from './SubForm.tsx';

const words = deskLead.handOver;
/** The choice beside the colleagues. */
const LIST = 'list';

interface Props {
  /** Colleague who has the lead already. */
  readonly except?: string | null;
  readonly canFree: boolean;
  /** Null: back to the list. */
  readonly onSend: (heir: string | null) => void;
  readonly onClose: () => void;
}

/** A lead, or several, go to a colleague who is here, or back to the list. */
export function HandOver({ except, canFree, onSend, onClose }: Props) {
  const { me } = useDesk();
  const [heir, setHeir] = useState('');
  const present = useWhoIsHere({ me: me.id, chosen: heir });
  const colleagues = present.filter(({ staff }) => staff !== except);
  const options = [
    ...colleagues.map(({ staff, name }) => [staff, name] as const),
    ...(canFree ? [[LIST, mainWords(words.list)] as const] : []),
  ];
  // No colleague is preselected: the first in the list changes with whoever comes.
  const chosen = options.some(([each]) => each === heir) ? heir : '';
  return (
    <SubForm
      title={words.open}
      {...(options.length > 0 && { send: words.open })}
      onSend={() => {
        if (!chosen) return;
        onClose();
        onSend(chosen === LIST ? null : chosen);
      }}
      onCancel={onClose}
    >
      {options.length === 0 ? (
        <Bilingual text={words.nobody} />
      ) : (
        <Select
          label={words.to}
          value={chosen}
          isFirst
          required
          options={[['', mainWords(words.choose)], ...options]}
          onChange={setHeir}
        />
      )}
    </SubForm>
  );
}
