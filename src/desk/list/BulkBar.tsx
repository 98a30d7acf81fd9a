import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskMany as words } from '../../content/desk-many.ts';
import { Button, Buttons, LinkButton } from '../../ui/Button.tsx';
import { announce } from '../announcements.ts';
import { useDesk } from '../context.ts';
import { HandOver } from '../lead/HandOver.tsx';
import type { Lead } from '../lead/lead.ts';
import { LosingForm } from '../lead/LosingForm.tsx';
import { useBusy } from '../use-busy.ts';
import styles from './ListPanel.module.css';
import { canUndo, refusalOf, runBulkAction, undoBulkAction, type Failure, type BulkAction } from './bulk-actions.ts';

interface Props {
  readonly chosen: readonly Lead[];
  readonly shown: readonly Lead[];
  readonly onChoose: (leads: readonly Lead[]) => void;
}

/**
 * Bar to take, hand over or close all selected leads. Leads for which this fails stay selected, and the reason is
 * shown.
 */
export function BulkBar({ chosen, shown, onChoose }: Props) {
  const { me } = useDesk();
  const [opened, setOpened] = useState<'hand' | 'lose'>();
  const [busy, runOnce] = useBusy();
  const [failures, setFailures] = useState<readonly Failure[]>([]);

  async function run(what: keyof typeof words.done, work: Promise<readonly Failure[]>, leads: readonly Lead[]) {
    const failed = await work;
    const done = leads.filter((lead) => !failed.some(({ lead: other }) => other === lead));
    setFailures(failed);
    onChoose(failed.map(({ lead }) => lead));
    return { done, text: words.done[what](done.length, failed.length), isGood: failed.length === 0 };
  }

  const act = (many: BulkAction) =>
    runOnce(async () => {
      const { done, ...result } = await run(many.kind, runBulkAction(many, chosen, me), chosen);
      const undo = () => runOnce(async () => announce(await run('undone', undoBulkAction(many, done, me), done)));
      announce({
        ...result,
        ...(canUndo(many) && done.length > 0 && { next: { words: deskAnswer.undo, onPress: () => void undo() } }),
      });
      return result.isGood;
    });

  const clear = () => {
    setFailures([]);
    setOpened(undefined);
    onChoose([]);
  };
  if (chosen.length === 0) return null;
  const ids = new Set(chosen.map(({ quote_id }) => quote_id));
  return (
    <section className={styles['many']} aria-label={mainWords(words.title)} aria-busy={busy}>
      <Buttons>
        <p role="status">{mainWords(words.chosen(chosen.length))}</p>
        {chosen.length < shown.length && (
          <LinkButton onClick={() => onChoose(shown)}>{mainWords(words.all)}</LinkButton>
        )}
        <LinkButton onClick={clear}>{mainWords(words.none)}</LinkButton>
      </Buttons>
      <Buttons>
        <Button words={deskLead.take} onClick={() => void act({ kind: 'take' })} />
        <Button words={deskLead.handOver.open} onClick={() => setOpened('hand')} />
        <Button words={deskLead.lostSend} onClick={() => setOpened('lose')} />
      </Buttons>
      {opened === 'hand' && (
        <HandOver
          leads={chosen.filter((lead) => !refusalOf({ kind: 'hand', heir: null }, lead, me))}
          canFree
          onSend={(heir) => void act({ kind: 'hand', heir })}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened === 'lose' && (
        <LosingForm
          where="losing many"
          onSend={(reason, note) => act({ kind: 'lose', reason, note })}
          onClose={() => setOpened(undefined)}
        />
      )}
      <div role="alert">
        {failures
          .filter(({ lead }) => ids.has(lead.quote_id))
          .map(({ lead, says }) => (
            <div key={lead.quote_id}>
              <span translate="no">{lead.nombre}</span>: {mainWords(says)}
            </div>
          ))}
      </div>
    </section>
  );
}
