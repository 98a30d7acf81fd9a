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
/** Option 'back to the list'. */
const LIST = 'list';

interface Props {
  /** Current owner, who is left out of the options. */
  readonly except?: string | null;
  readonly canFree: boolean;
  /** `heir`: null gives the lead back to the list. */
  readonly onSend: (heir: string | null) => void;
  readonly onClose: () => void;
}

/** Form that hands leads to a present colleague or back to the list, after ten seconds to undo. */
export function HandOver({ except, canFree, onSend, onClose }: Props) {
  const { me } = useDesk();
  const [heir, setHeir] = useState('');
  const present = usePresentColleagues(me.id, heir);
  const colleagues = present.filter(({ staff }) => staff !== except);
  const options = [
    ...colleagues.map(({ staff, name }) => [staff, name] as const),
    ...(canFree ? [[LIST, mainWords(words.list)] as const] : []),
  ];
  // No colleague is preselected, because the first of the list changes as colleagues come and go.
  const chosen = options.some(([each]) => each === heir) ? heir : '';
  const [until, setUntil] = useState<number>();
  const end = useEffectEvent(() => until && onSend(heir === LIST ? null : heir));
  // If another lead or form replaces this one, the leads are handed over at once.
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
