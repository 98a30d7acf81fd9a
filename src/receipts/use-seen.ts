import { useEffect, type RefObject } from 'react';
import type { Answer } from '../lead/answer.ts';
import { answerIdOf } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';
import { newId } from '../lead/quote.ts';
import { sendMessage } from './send-message.ts';

/** Reports to the sales team, once per answer, that the answer was visible on the screen. */
export function useSeen(
  place: RefObject<HTMLElement | null>,
  quoteId: string,
  answer: Answer,
  messages: Entry['messages'],
): void {
  const isNew = !messages.some((message) => answerIdOf(message) === answer.id);
  useEffect(() => {
    // Scrolls to the answer only in the list: on the page the visitor may be reading something else.
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
      // A tenth is enough: a long answer never fits the screen as a whole.
      { threshold: 0.1 },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [quoteId, answer.id, place]);
}
