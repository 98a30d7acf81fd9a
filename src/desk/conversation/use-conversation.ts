import { useEffect } from 'react';
import { conversationOf, readUnversioned, readVersioned } from '../api/conversation.ts';
import { useRead } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { reach } from '../team/presence.ts';

/** Milliseconds between two reads of the rows that change while the version of the lead stays, such as notes. */
const EVERY = 12_000;

/** Conversation of a lead. Reads it again when the lead changes; notes and mails also every few seconds. */
export function useConversation(lead: Lead, isWanted: boolean) {
  const key = `${lead.version} ${isWanted}`;
  const versioned = useRead(key, async () => (isWanted ? readVersioned(lead) : undefined));
  const unversioned = useRead(key, async () => (isWanted ? readUnversioned(lead) : undefined));
  const { readAgain } = unversioned;
  useEffect(() => {
    const readIfVisible = () => document.visibilityState === 'visible' && readAgain();
    const timer = setInterval(readIfVisible, EVERY);
    document.addEventListener('visibilitychange', readIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', readIfVisible);
    };
  }, [readAgain]);
  const value =
    versioned.value &&
    unversioned.value &&
    conversationOf(lead, versioned.value, unversioned.value, reach.read() ?? []);
  const readAll = () => {
    versioned.readAgain();
    readAgain();
  };
  return [value, readAll, versioned.hasFailed || unversioned.hasFailed] as const;
}
