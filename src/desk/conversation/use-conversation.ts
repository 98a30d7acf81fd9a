import { useEffect } from 'react';
import { readConversation } from '../api/conversation.ts';
import { useRead } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { reach } from '../team/presence.ts';

/** Milliseconds between two reads. They are needed for new notes, which do not change the version of the lead. */
const NOTES_EVERY = 12_000;

/** Conversation of a lead. Reads it again when the lead changes, and every few seconds for new notes. */
export function useConversation(lead: Lead, isWanted: boolean) {
  const { value, readAgain, hasFailed } = useRead(`${lead.version} ${isWanted}`, async () =>
    isWanted ? readConversation(lead, reach.read() ?? []) : undefined,
  );
  useEffect(() => {
    const timer = setInterval(readAgain, NOTES_EVERY);
    return () => clearInterval(timer);
  }, [readAgain]);
  return [value, readAgain, hasFailed] as const;
}
