import { useEffect, useReducer, useState } from 'react';
import { readConversation, type ConversationRead } from '../api/conversation.ts';
import { Trouble } from '../api/trouble.ts';
import type { Lead } from '../lead/lead.ts';
import { reach } from '../team/presence.ts';

/** Milliseconds between two reads: a note changes no version of its lead. */
const NOTES_EVERY = 12_000;

export type Reading = ConversationRead | 'reading' | 'unread';

/** The conversation of a lead, read again when the lead changes, and every few seconds for new notes. */
export function useConversation(lead: Lead, isWanted: boolean): [conversation: Reading, readAgain: () => void] {
  const { quote_id, version } = lead;
  const [reading, setReading] = useState<Reading>('reading');
  const [turn, readAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    readConversation(lead, reach.read() ?? []).then(
      (read) => !isOver && setReading(read),
      (error: unknown) => {
        if (!(error instanceof Trouble)) throw error;
        if (!isOver) setReading((before) => (before === 'reading' ? 'unread' : before));
      },
    );
    const timer = setTimeout(readAgain, NOTES_EVERY);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `version` says whether `lead` has changed, and `turn` asks again
  }, [quote_id, version, turn, isWanted]);
  return [reading, readAgain];
}
