import { useEffect, type RefObject } from 'react';
import type { Answer } from '../lead/answer.ts';
import { answerIdOf } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';
import { newId } from '../lead/quote.ts';
import { sendMessage } from './send-message.ts';

/** Tells the sales team, once for each answer, that the answer was visible on the screen. */
export function useSeen(
  place: RefObject<HTMLElement | null>,
  quoteId: string,
  answer: Answer,
  messages: Entry['messages'],
): void {
  const isNew = !messages.some((message) => answerIdOf(message) === answer.id);
  useEffect(() => {
    // The list scrolls to the answer, but the page does not: there the visitor may be reading something else.
    if (!isNew || !place.current!.closest('dialog')) return;
    requestAnimationFrame(() => place.current?.closest('article')!.parentElement!.scrollIntoView({ block: 'start' }));
  }, [isNew, place]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void sendMessage(quoteId, { id: newId(), answerId: answer.id, kind: 'vista' });
      },
      // A tenth of the answer is enough, because a long answer never fits on the screen.
      { threshold: 0.1 },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [quoteId, answer.id, place]);
}
