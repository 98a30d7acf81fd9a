import { useState } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSystem } from '../../content/desk-system.ts';
import { deskWebhooks as words } from '../../content/desk-webhooks.ts';
import { joined } from '../../content/sentences.ts';
import { webhookReasons } from '../../content/webhook-reasons.ts';
import { dayInTijuana, timeInTijuana } from '../../lead/tijuana.ts';
import type { DeliveryRow } from '../../lead/webhook-row.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { MOST_DELIVERIES, readDeliveries, repeatDeliveries, type DeliveryFilter } from '../api/webhooks.ts';
import { useDesk, useRead } from '../context.ts';
import { useBusy } from '../use-busy.ts';
import { nameOfCode } from './name-of-code.ts';
import styles from './WebhooksDialog.module.css';

/**
 * Log of webhooks: each delivery of a day with the receiver's response. A delivery, or the whole day, can be sent
 * again.
 */
export function WebhooksDialog({ onClose }: { readonly onClose: () => void }) {
  const { now } = useDesk();
  const [filter, setFilter] = useState<DeliveryFilter>(() => ({ day: dayInTijuana(now), isAside: false }));
  const { value, hasFailed, readAgain } = useRead(JSON.stringify(filter), async () => {
    return { ...(await readDeliveries(filter)), filter };
  });
  const [result, setResult] = useState<Text>();
  const [, runOnce] = useBusy();

  async function send(which: number | DeliveryFilter): Promise<void> {
    const ended = await runOnce(() => repeatDeliveries(which));
    if (!ended) return;
    setResult(ended.kind === 'done' ? words.asked : ended.says);
    readAgain();
  }
  function choose(change: Partial<DeliveryFilter>): void {
    setResult(undefined);
    setFilter({ ...filter, ...change });
  }

  // After a change of the filter, `value` still has the deliveries of the earlier filter until the server responds.
  const current = value?.filter === filter ? value : undefined;
  const { deliveries = [], hosts } = current ?? {};
  const isEmpty = deliveries.length === 0;
  return (
    <Dialog
      title={deskSystem.webhooks}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button words={words.refresh} onClick={readAgain} />
          <Button
            words={filter.isAside ? words.againAside : words.againDay}
            aria-disabled={isEmpty}
            onClick={() => void (isEmpty || send(filter))}
          />
        </>
      }
    >
      <Bilingual text={words.what} />
      <div className={styles['choices']}>
        <TextField label={words.day} type="date" value={filter.day} onChange={(day) => day && choose({ day })} />
        <Select
          label={words.show}
          value={filter.isAside ? 'aside' : ''}
          options={[
            ['', mainWords(words.all)],
            ['aside', mainWords(words.asideOnly)],
          ]}
          onChange={(state) => choose({ isAside: state === 'aside' })}
        />
      </div>
      <div role="status">
        {result && <Bilingual text={result} />}
        {hasFailed && <Bilingual text={deskFailures.unreachable} />}
        {!current && !hasFailed && <Bilingual text={words.asking} />}
        {current && isEmpty && <Bilingual text={words.none} />}
        {deliveries.length === MOST_DELIVERIES && <Bilingual text={words.newest(MOST_DELIVERIES)} />}
      </div>
      <ol className={styles['deliveries']}>
        {deliveries.map((delivery) => (
          <Delivery
            key={delivery.id}
            delivery={delivery}
            host={hosts?.get(delivery.webhook_id)}
            onAgain={() => void send(delivery.id)}
          />
        ))}
      </ol>
    </Dialog>
  );
}

interface DeliveryProps {
  readonly delivery: DeliveryRow;
  readonly host: string | undefined;
  readonly onAgain: () => void;
}

function Delivery({ delivery, host, onAgain }: DeliveryProps) {
  const { event, folio, at, state, status, attempts, next_at } = delivery;
  const name = nameOfCode(words.events, event);
  return (
    <li data-state={state}>
      <div>
        <p>
          <time dateTime={at}>{timeInTijuana(Date.parse(at))}</time> <b>{name}</b>{' '}
          <span className={styles['folio']}>{folio}</span>
        </p>
        <p className={styles['quiet']}>{host}</p>
        <Bilingual
          className={styles['quiet']}
          text={joined(
            [
              status !== null || delivery.response_text !== null ? answerOf(delivery) : undefined,
              attempts > 0 && words.attempts(attempts),
              state === 'waiting' && attempts > 0 && next_at !== null && words.next(timeInTijuana(Date.parse(next_at))),
            ],
            ' · ',
          )}
        />
      </div>
      <b className="label">{nameOfCode(words.states, state)}</b>
      {/* The button stays after it was pressed, because it may still have the focus. */}
      {state !== 'erased' && (
        <Button words={words.again} aria-label={mainWords(words.againOne(name, folio))} onClick={onAgain} />
      )}
    </li>
  );
}

function answerOf({ status, response_text }: DeliveryRow): Text {
  if (status !== null) return words.answer(status, response_text ?? '');
  const reasons: Readonly<Record<string, Text>> = webhookReasons;
  const code = response_text ?? '';
  return words.noAnswer(reasons[code] ?? { es: code, en: code });
}
