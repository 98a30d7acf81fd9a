import { useState } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { roles } from '../content/desk-roles.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act } from './Act.tsx';
import { handOver, type Ending } from './actions.ts';
import { Labelled } from './Labelled.tsx';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import type { Person } from './session.ts';
import { useWhoIsHere } from './use-who-is-here.ts';

const words = roles.handOver;
/** In the place of a colleague. */
const LIST = 'list';

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  readonly act: (work: () => Promise<Ending>) => () => void;
}

/** A lead goes to a colleague who is here, or back to the list. */
export function HandOver({ lead, me, act }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [heir, setHeir] = useState<string>();
  const present = useWhoIsHere({ isAsked: isOpen, me: me.id, chosen: heir });
  const colleagues = present.filter(({ staff }) => staff !== lead.assignee);
  const canFree = lead.status === 'tomada';
  const choices = [...colleagues.map(({ staff }) => staff), ...(canFree ? [LIST] : [])];
  // Nobody is proposed: who stands first changes with whoever comes.
  const chosen = choices.find((each) => each === heir) ?? '';
  return (
    <>
      <Act words={words.open} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <form
          className={styles['handing']}
          onSubmit={(event) => {
            event.preventDefault();
            setOpen(false);
            act(() => handOver(lead, chosen === LIST ? null : chosen))();
          }}
        >
          {colleagues.length === 0 && !canFree ? (
            <Bilingual text={words.nobody} />
          ) : (
            <>
              <Labelled label={words.to}>
                {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on 'Pasar a un colega' asked for this field */}
                <select autoFocus required value={chosen} onChange={(event) => setHeir(event.target.value)}>
                  <option value="" disabled>
                    {mainWords(words.choose)}
                  </option>
                  {colleagues.map(({ staff, name }) => (
                    <option key={staff} value={staff}>
                      {name}
                    </option>
                  ))}
                  {canFree && <option value={LIST}>{mainWords(words.list)}</option>}
                </select>
              </Labelled>
              <Act words={words.send} quiet={false} type="submit" />
            </>
          )}
        </form>
      )}
    </>
  );
}
