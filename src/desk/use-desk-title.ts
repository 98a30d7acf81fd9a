import { useEffect } from 'react';
import { config } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { deskSession } from '../content/desk-session.ts';
import { showBadge } from '../phone/badge.ts';
import { useStore } from '../ui/store.ts';
import type { Lead } from './lead/lead.ts';
import { alerts } from './team/alerts.ts';

const title = mainWords(deskSession.title);

/**
 * Counts open leads. The tab's title shows those that are not this person's own; the app's icon shows this person's own
 * and those without an owner.
 */
export function useDeskTitle(leads: readonly Lead[], me: string) {
  const { count: isCounted } = useStore(alerts);
  const open = leads.filter((lead) => lead.open);
  const waiting = open.filter(({ assignee }) => assignee !== me).length;
  const unanswered = open.filter(({ assignee }) => !assignee || assignee === me).length;
  useEffect(() => {
    document.title = `${waiting > 0 && isCounted ? `(${waiting}) ` : ''}${title} · ${config.company.name}`;
    return () => void (document.title = title);
  }, [waiting, isCounted]);
  useEffect(() => void showBadge(unanswered), [unanswered]);
  // The count on the icon is removed when the desk closes. Later alerts set it again.
  useEffect(() => () => void showBadge(0), []);
}
