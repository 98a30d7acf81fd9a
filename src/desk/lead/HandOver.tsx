import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Select } from '../../ui/Field.tsx';
import type { Ending } from '../api/ending.ts';
import { useDesk } from '../context.ts';
import { useWhoIsHere } from '../team/use-who-is-here.ts';
import { handOver } from './lead-actions.ts';
import type { Lead } from './lead.ts';
import { SubForm } from './SubForm.tsx';

const words = deskLead.handOver;
/** The choice beside the colleagues. */
const LIST = 'list';

interface Props {
  readonly lead: Lead;
  readonly act: (work: () => Promise<Ending>) => void;
  readonly onClose: () => void;
}

/** A lead goes to a colleague who is here, or back to the list. */
export function HandOver({ lead, act, onClose }: Props) {
  const { me } = useDesk();
  const [heir, setHeir] = useState('');
  const present = useWhoIsHere({ me: me.id, chosen: heir });
  const colleagues = present.filter(({ staff }) => staff !== lead.assignee);
  const canFree = lead.status === 'tomada';
  const options = [
    ...colleagues.map(({ staff, name }) => [staff, name] as const),
    ...(canFree ? [[LIST, mainWords(words.list)] as const] : []),
  ];
  // No colleague is preselected: the first in the list changes with whoever comes.
  const chosen = options.some(([each]) => each === heir) ? heir : '';
  return (
    <SubForm
      title={words.open}
      {...(options.length > 0 && { send: words.send })}
      onSend={() => {
        if (!chosen) return;
        onClose();
        act(() => handOver(lead, chosen === LIST ? null : chosen));
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
