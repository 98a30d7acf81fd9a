import { useEffect, useEffectEvent } from 'react';
import { deskAnswer } from '../content/desk-answer.ts';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { useStore } from '../ui/store.ts';
import { drafts } from './answer/drafts.ts';
import { isSavedHere, nextToSend, sendHeldAnswers } from './answer/send-delay.ts';
import { sendWaiting } from './answer/sending.ts';
import { stepDrafts } from './answer/step-drafts.ts';
import { loadTemplates } from './answer/templates.ts';
import type { ActionResult } from './api/action-result.ts';
import { pollLeads, feed } from './api/lead-feed.ts';
import type { Lead } from './lead/lead.ts';
import { readMarks } from './lead/read-marks.ts';
import { forgetReminders, checkReminders } from './lead/reminders.ts';
import { checkReceived, forgetReceived } from './list/received.ts';
import { watchActivity } from './session/idle-lock.ts';
import { signOut } from './session/session.ts';
import { announceLeads, isPushed } from './team/alerts.ts';
import { reportPresence } from './team/presence.ts';
import { renewPush } from './team/push.ts';

/**
 * Background work of the open desk: reads leads and reminders, reports presence, locks an idle desk, and sends answers
 * after their delay or when the connection returns.
 */
export function useDeskFeed(me: string, onSent: (lead: Lead, result: ActionResult, done?: Text) => void): void {
  const send = useEffectEvent(() => {
    void sendWaiting(me, (lead, result, kind) => {
      const { waiting, sent } = deskAnswer;
      onSent(lead, result.kind === 'unreachable' ? { ...result, says: waiting } : result, sent[kind](lead.nombre));
    });
  });
  useEffect(() => {
    const onRead = () => {
      send();
      checkReminders();
      checkReceived();
    };
    const ends = [pollLeads(onRead, announceLeads), reportPresence(), watchActivity(() => signOut('idle'))];
    readMarks(me);
    // If the templates cannot be read, the form offers a built-in one.
    void loadTemplates().catch(() => undefined);
    // If the push subscription cannot be renewed, the next start of the desk tries again.
    void renewPush().then(isPushed.set, () => undefined);
    return () => {
      for (const end of ends) end();
      forgetReminders();
      forgetReceived();
    };
  }, [me]);
  const allDrafts = useStore(drafts);
  useEffect(() => {
    const next = nextToSend(allDrafts);
    if (next === undefined) return undefined;
    // The timer has 20 ms more, because a timer may fire early and would then find the answer still delayed.
    const timer = setTimeout(() => send(), Math.max(0, next - Date.now()) + 20);
    return () => clearTimeout(timer);
  }, [allDrafts]);
  useEffect(sendOnLeaving, []);
}

/**
 * Sends delayed answers when the page is left. Without a connection the browser asks before it closes the tab, because
 * closing loses answers and milestones.
 */
function sendOnLeaving() {
  const leave = () => {
    if (document.visibilityState === 'hidden') sendHeldAnswers();
  };
  const warn = (event: BeforeUnloadEvent) => {
    if ((isSavedHere() || stepDrafts.read().length > 0) && !feed.read().isFresh) event.preventDefault();
  };
  // Both events are needed: a sleeping phone fires only visibilitychange, and a closed page may fire only pagehide.
  document.addEventListener('visibilitychange', leave);
  addEventListener('pagehide', sendHeldAnswers);
  addEventListener('beforeunload', warn);
  return () => {
    document.removeEventListener('visibilitychange', leave);
    removeEventListener('pagehide', sendHeldAnswers);
    removeEventListener('beforeunload', warn);
  };
}
