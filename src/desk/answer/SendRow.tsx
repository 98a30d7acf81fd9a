import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { mainWords } from '../../content/bilingual.ts';
import { deskAnswer as words } from '../../content/desk-answer.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import styles from './AnswerForm.module.css';
import { SEND_DELAY } from './send-delay.ts';
import type { AnswerState } from './use-answer.ts';

interface Props {
  /** True for a lead without an owner: sending an answer also takes the lead. */
  readonly isFree: boolean;
  readonly state: AnswerState;
  readonly form: RefObject<HTMLFormElement | null>;
}

/** Row with the send button, always in view. After sending, it has buttons to undo for ten seconds. */
export function SendRow({ isFree, state, form }: Props) {
  const { answer, draft, heldUntil, isSending, isFixed } = state;
  const isBegun = draft && (draft.body ?? draft.price ?? draft.lines ?? draft.validUntil) !== undefined;
  const isFar = useIsFar(form);
  const send = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const isHeld = heldUntil !== undefined;
  // The row takes the focus, not the undo button: a second Enter on the undo button would undo the send.
  useLayoutEffect(() => {
    if (isHeld) row.current!.focus();
  }, [isHeld]);
  /** Runs `work`, then moves the focus to the send button, because `work` removes the button that has the focus. */
  const end = (work: () => void) => () => {
    flushSync(work);
    (send.current ?? row.current)?.focus();
  };
  return (
    <div ref={row} className={styles['row']} tabIndex={-1}>
      <p role="status" className="hidden">
        {isHeld && mainWords(words.countdown(SEND_DELAY / 1000))}
      </p>
      <div role="alert" className={styles['waiting']}>
        {draft?.waiting && !isSending && <Bilingual text={words.waiting} />}
      </div>
      {isHeld ? (
        <>
          <Countdown until={heldUntil} total={SEND_DELAY} words={words.countdown} />
          <Button words={words.undo} onClick={end(state.undo)} />
          <Button words={words.sendNow} onClick={end(state.sendNow)} />
        </>
      ) : isFar && !isBegun ? (
        <Button
          words={words.title}
          quiet={false}
          onClick={() => form.current?.querySelector<HTMLElement>('[data-answer], [data-words]')?.focus()}
        />
      ) : (
        <>
          <Button
            ref={send}
            words={isSending ? words.sending : (isFree ? words.takeAndSend : words.send)[answer.kind]}
            quiet={false}
            aria-busy={isSending}
            onClick={() => state.send(form.current!)}
          />
          {isBegun && !isFixed && <Button words={words.discard} onClick={state.discard} />}
        </>
      )}
    </div>
  );
}

/**
 * True while the fields of the form are not on the screen, as when a person reads the top of a lead on a phone. The row
 * then shows a button that moves the focus to the fields.
 */
function useIsFar(form: RefObject<HTMLFormElement | null>): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setFar(!entry!.isIntersecting));
    observer.observe(form.current!.firstElementChild!);
    return () => observer.disconnect();
  }, [form]);
  return isFar;
}
