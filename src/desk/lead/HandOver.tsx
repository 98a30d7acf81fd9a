import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Select } from '../../ui/Field.tsx';
import { SEND_DELAY } from '../answer/send-delay.ts';
import { useDesk } from '../context.ts';
import { useBeforeLeaving } from '../use-before-leaving.ts';
import { usePresentColleagues } from '../team/use-present-colleagues.ts';
import type { Lead } from './lead.ts';
import { handOverOnLeaving } from './lead-actions.ts';
import { SubForm } from './SubForm.tsx';

const words = deskLead.handOver;
/** Option that gives the lead back to the list, without an owner. */
const LIST = 'list';

interface Props {
  readonly leads: readonly Lead[];
  /** Current owner of the lead, who is not offered as the new owner. */
  readonly except?: string | null;
  readonly canFree: boolean;
  /** `heir`: the new owner; null gives the lead back to the list. */
  readonly onSend: (heir: string | null) => void;
  readonly onClose: () => void;
}

/**
 * Form that hands leads to a present colleague or gives them back to the list. Handing over can be undone for ten
 * seconds.
 */
export function HandOver({ leads, except, canFree, onSend, onClose }: Props) {
  const { me } = useDesk();
  const [heir, setHeir] = useState('');
  const present = usePresentColleagues(me.id, heir);
  const colleagues = present.filter(({ staff }) => staff !== except);
  const options = [
    ...colleagues.map(({ staff, name }) => [staff, name] as const),
    ...(canFree ? [[LIST, mainWords(words.list)] as const] : []),
  ];
  // The form preselects nobody: as colleagues come and go, the first option may become another person.
  const chosen = options.some(([each]) => each === heir) ? heir : '';
  const [until, setUntil] = useState<number>();
  const to = heir === LIST ? null : heir;
  const isSent = useRef(false);
  useBeforeLeaving(async () => {
    if (!until) return;
    isSent.current = true;
    onClose();
    await Promise.all(leads.map((lead) => handOverOnLeaving(lead, to)));
  });
  const end = useEffectEvent(() => until && !isSent.current && onSend(to));
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
