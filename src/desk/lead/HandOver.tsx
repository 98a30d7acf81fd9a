import { useEffect, useEffectEvent, useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Select } from '../../ui/Field.tsx';
import { SEND_DELAY } from '../answer/send-delay.ts';
import { useDesk } from '../context.ts';
import { usePresentColleagues } from '../team/use-present-colleagues.ts';
import { SubForm } from './SubForm.tsx';

const words = deskLead.handOver;
/** Option that gives the lead back to the list, without an owner. */
const LIST = 'list';

interface Props {
  /** Current owner of the lead, who is not offered as the new owner. */
  readonly except?: string | null;
  readonly canFree: boolean;
  /** `heir`: the new owner; null gives the lead back to the list. */
  readonly onSend: (heir: string | null) => void;
  readonly onClose: () => void;
}

/** Form that hands leads to a present colleague or gives them back to the list. It can be undone for ten seconds. */
export function HandOver({ except, canFree, onSend, onClose }: Props) {
  const { me } = useDesk();
  const [heir, setHeir] = useState('');
  const present = usePresentColleagues(me.id, heir);
  const colleagues = present.filter(({ staff }) => staff !== except);
  const options = [
    ...colleagues.map(({ staff, name }) => [staff, name] as const),
    ...(canFree ? [[LIST, mainWords(words.list)] as const] : []),
  ];
  // No colleague is preselected: as colleagues come and go, another one could become first in the list.
  const chosen = options.some(([each]) => each === heir) ? heir : '';
  const [until, setUntil] = useState<number>();
  const end = useEffectEvent(() => until && onSend(heir === LIST ? null : heir));
  // If another lead or form replaces this form during the ten seconds, the leads are handed over at once.
  useEffect(() => () => void end(), []);
  return (
    <SubForm
      title={words.open}
      {...(options.length > 0 && { send: words.open })}
      onSend={() => chosen && setUntil(Date.now() + SEND_DELAY)}
      countdown={until && <Countdown until={until} total={SEND_DELAY} words={words.held} onEnd={onClose} />}
      onCancel={until ? () => setUntil(undefined) : onClose}
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
