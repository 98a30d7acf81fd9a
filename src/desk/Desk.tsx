import { useEffect, useRef, type RefObject } from 'react';
import { deskFailures } from '../content/desk-failures.ts';
import { deskLead } from '../content/desk-lead.ts';
import { deskList as words } from '../content/desk-list.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Toaster } from '../notices/Toaster.tsx';
import { startToaster } from '../notices/toaster.ts';
import { useStore } from '../ui/store.ts';
import { useNow } from '../ui/use-now.ts';
import { isSavedHere } from './answer/send-delay.ts';
import { feed } from './api/lead-feed.ts';
import type { Person } from './api/person.ts';
import { serverNow } from './api/server-clock.ts';
import { announce, announceResult, withdrawAnnouncement } from './announcements.ts';
import { DeskContext } from './context.ts';
import styles from './Desk.module.css';
import { DeskBar } from './DeskBar.tsx';
import { DeskDialogs, useDialogs } from './DeskDialogs.tsx';
import type { Lead } from './lead/lead.ts';
import { LeadSheet } from './lead/LeadSheet.tsx';
import { acceptedOf } from './lead/offer.ts';
import { ListPanel, type ListHandle } from './list/ListPanel.tsx';
import { Today } from './list/Today.tsx';
import { useShownLeads } from './list/use-shown-leads.ts';
import { signOut } from './session/session.ts';
import { useAcceptances } from './use-acceptances.ts';
import { useDeskFeed } from './use-desk-feed.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { SHEET, useDeskRoute } from './use-desk-route.ts';
import { useDeskTitle } from './use-desk-title.ts';

interface Props {
  readonly me: Person;
  /** True for a person's first session, which opens the dialogs about alerts and shortcuts. */
  readonly isFirst: boolean;
}

export function Desk({ me, isFirst }: Props) {
  const all = useStore(feed);
  const { leads, readAt } = all;
  const [dialog, setDialog, closeDialog] = useDialogs(isFirst);
  const side = useRef<ListHandle>(null);
  useNow();
  const now = serverNow();
  const focusList = () => side.current?.focus();
  const list = useShownLeads(all, me.id, now);
  const { chosen, isWholeAtOnce, open, toList } = useDeskRoute(leads, {
    readAt,
    focusList,
    onTurn: withdrawAnnouncement,
  });
  const step = (from: Lead | undefined, by: number) => {
    const at = list.shown.findIndex(({ quote_id }) => quote_id === from?.quote_id);
    const next = list.shown[at < 0 ? 0 : at + by];
    if (next) open(next);
  };
  const next = { words: words.next, onPress: () => step(chosen, 1) };
  useDeskFeed(me.id, (lead, result, done) =>
    announceResult(lead, result, done, result.kind === 'done' ? next : undefined),
  );
  useDeskTitle(leads, me.id);
  useAcceptances(leads, readAt !== undefined, me.id, (lead) =>
    announce({
      text: words.accepted(lead.nombre, acceptedOf(lead, now)),
      isGood: true,
      next: { words: deskLead.booking.title, onPress: () => open(lead) },
    }),
  );
  const onLeadKey = useShortcuts({
    me: me.id,
    chosen,
    onOpen: open,
    onStep: step,
    onHelp: () => setDialog('keys'),
    onSearch: () => focusSearch(side.current, toList),
  });
  useEffect(() => {
    startToaster();
    return withdrawAnnouncement;
  }, []);
  const mine = leads.filter((lead) => lead.open && lead.assignee === me.id);

  useListFocus(side, readAt !== undefined, chosen !== undefined, list.shown.length === 0);

  return (
    <DeskContext value={{ me, now, open }}>
      <div className={styles['desk']} data-chosen={chosen ? '' : undefined}>
        <DeskBar
          onOpen={setDialog}
          onLeave={() => (mine.length > 0 || isSavedHere() ? setDialog('leave') : signOut('gone'))}
        />
        <main className={styles['main']}>
          <ListPanel
            ref={side}
            list={list}
            isLoaded={readAt !== undefined}
            chosen={chosen}
            onKey={onLeadKey}
            onReceived={() => setDialog('received')}
          />
          <div className={styles['sheet']}>
            {chosen ? (
              <ErrorBoundary key={chosen.quote_id} otherwise={<Bilingual text={deskFailures.unshown} />}>
                <LeadSheet lead={chosen} isWholeAtOnce={isWholeAtOnce} onBack={toList} />
              </ErrorBoundary>
            ) : (
              readAt !== undefined && <Today leads={leads} />
            )}
          </div>
        </main>
        <DeskDialogs
          name={dialog}
          mine={mine}
          leads={leads}
          shown={list.shown}
          what={list.what}
          onShow={(counted, text) => {
            list.showCounted({ leads: counted, text });
            setDialog(undefined);
            requestAnimationFrame(() => (side.current?.isInView() ? focusList() : toList()));
          }}
          onImport={() => setDialog('import')}
          onOpen={(lead, text) => {
            setDialog(undefined);
            open(lead);
            announce({ text, isGood: true });
          }}
          onClose={closeDialog}
        />
      </div>
      <div className={styles['toasts']}>
        <Toaster />
      </div>
    </DeskContext>
  );
}

/** Shows the list and gives its search field the focus. */
function focusSearch(list: ListHandle | null, toList: () => void): void {
  if (!list?.isInView()) toList();
  // The search field gets the focus at once, so that no typed letter is lost. A hidden list is shown only in the next
  // frame, so the focus is set again then.
  list?.focusSearch();
  requestAnimationFrame(() => list?.focusSearch());
}

/**
 * Gives the list the focus if no element has it, because the list's shortcuts work only with the focus. If an open lead
 * covers the list, the lead gets the focus instead.
 */
function useListFocus(side: RefObject<ListHandle | null>, isLoaded: boolean, isOpen: boolean, isEmpty: boolean): void {
  useEffect(() => {
    const isNowhere = document.activeElement === document.body || side.current?.hasFocus();
    if (!isLoaded || !isNowhere) return;
    if (side.current?.isInView()) side.current.focus();
    else document.querySelector<HTMLElement>(SHEET)?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the effect runs when the open lead or the last row disappears
  }, [side, isLoaded, isOpen, isEmpty]);
}
