import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { config } from '../config.ts';
import { mainWords, type Bilingual as Text, englishWords, eachLanguage } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { showBadge } from '../phone/badge.ts';
import { readFolio } from '../lead/folio.ts';
import { useNow } from '../ui/use-now.ts';
import { Apart } from '../ui/Apart.tsx';
import { Bilingual } from '../ui/Bilingual.tsx';
import { useStore } from '../ui/store.ts';
import { alerts, announce, isPushed } from './alerts.ts';
import { AlertsDialog } from './AlertsDialog.tsx';
import { FiguresDialog } from './FiguresDialog.tsx';
import { release, sendWaiting, take, type Ending } from './actions.ts';
import { serverNow } from './backend.ts';
import { Bar, type DialogName } from './Bar.tsx';
import { drafts } from './drafts.ts';
import { isSavedHere, nextToSend, sendHeld } from './held.ts';
import { watchHands } from './idle.ts';
import { Keys } from './Keys.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { LeadSheet } from './LeadSheet.tsx';
import { LeadList } from './LeadList.tsx';
import { FILTERS, fits, searchFor, type Filter, type Lead } from './lead.ts';
import { keep, keepAsking, known, leadById, seekFolio } from './leads.ts';
import { NewLead } from './NewLead.tsx';
import { Paste } from './Paste.tsx';
import { stayHere } from './presence.ts';
import { renewPush } from './push.ts';
import { due, forgetReminders, isReminded, lookForReminders } from './reminders.ts';
import { signOut, type Person } from './session.ts';
import { noteOf, useSearch } from './search.ts';
import { isSingleKeyOn } from './single-keys.ts';
import { hearTemplates } from './templates.ts';
import { Tools } from './Tools.tsx';
import styles from './Desk.module.css';

interface Told {
  readonly says: Text;
  readonly isGood: boolean;
}
const GOOD_NEWS = 6000;
const SHEET = '#lead';

/** The folio of the quote that is open, so that 'back' of a browser closes it. */
const chosenFolio = () => readFolio(location.hash.slice(1));

const saysOf = (ended: Ending, done?: Text): Text | undefined => (ended.kind === 'done' ? done : ended.says);

const named = ({ folio }: Lead, text: Text): Text => eachLanguage(text, (says) => `${folio}: ${says}`);

export function Desk({ me }: { readonly me: Person }) {
  const { leads, heardAt, isFresh } = useStore(known);
  const [filter, setFilter] = useState<Filter>('open');
  const [typed, setTyped] = useState('');
  const [folio, setFolio] = useState(chosenFolio);
  /** The one that was pressed, of two with one folio. */
  const [pressed, setPressed] = useState<string>();
  /** The part of it that gets the focus. */
  const [part, setPart] = useState(SHEET);
  /** What a figure counts, while that is looked at. */
  const [counted, setCounted] = useState<{ readonly leads: readonly Lead[]; readonly says: Text }>();
  const [told, setTold] = useState<Told>();
  const [dialog, setDialog] = useState<DialogName>();
  const list = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  /** What takes the focus: without a row there is no list. */
  const listOrItsPlace = useCallback(() => list.current ?? side.current, []);
  useNow();
  const now = serverNow();

  const send = useCallback(() => {
    void sendWaiting(me.id, (lead, ended) => {
      // It is not to be tried again: it goes by itself.
      const { saved, waiting } = words.answer;
      const says = ended.kind === 'unreachable' ? waiting : saysOf(ended, saved);
      setTold(says && { says: named(lead, says), isGood: ended.kind === 'done' });
    });
  }, [me.id]);
  const tellOf = (lead: Lead) => (ended: Ending, done?: Text) => {
    const says = saysOf(ended, done);
    // By then another lead may be open, or none.
    const isShown = lead.folio === chosenFolio();
    setTold(says && { says: isShown ? says : named(lead, says), isGood: ended.kind === 'done' });
  };
  // A success has been seen by then; a failure stays until the next press.
  useEffect(() => {
    if (!told?.isGood) return undefined;
    const timer = setTimeout(setTold, GOOD_NEWS, undefined);
    return () => clearTimeout(timer);
  }, [told]);

  useEffect(() => {
    const stop = keepAsking(() => {
      send();
      lookForReminders();
    }, announce);
    // A built-in template serves until the team's arrive.
    void hearTemplates().catch(() => undefined);
    const leave = () => {
      if (document.visibilityState === 'hidden') sendHeld();
    };
    // A phone that puts the page to sleep tells no more than this, and a page that is closed may tell only the other.
    document.addEventListener('visibilitychange', leave);
    addEventListener('pagehide', sendHeld);
    // With the tab goes what waits for a connection.
    const warn = (event: BeforeUnloadEvent) => {
      if (isSavedHere() && !known.read().isFresh) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    const stopStaying = stayHere();
    const stopWatching = watchHands(() => signOut('idle'));
    // With the next start, where it fails.
    void renewPush().then(isPushed.set, () => undefined);
    const turn = () => {
      const next = chosenFolio();
      if (next === document.querySelector(SHEET)?.textContent) return;
      // 'Back' of the browser takes away what had the focus, and what something was told of.
      flushSync(() => {
        setFolio(next);
        setTold(undefined);
      });
      requestAnimationFrame(() => (document.querySelector<HTMLElement>(SHEET) ?? listOrItsPlace())?.focus());
    };
    addEventListener('hashchange', turn);
    return () => {
      stop();
      forgetReminders();
      stopStaying();
      stopWatching();
      removeEventListener('hashchange', turn);
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('pagehide', sendHeld);
      removeEventListener('beforeunload', warn);
    };
  }, [send, listOrItsPlace]);

  const written = useStore(drafts);
  useEffect(() => {
    const next = nextToSend(written);
    if (next === undefined) return undefined;
    // Not a moment before it: then it would still be held.
    const timer = setTimeout(send, Math.max(0, next - Date.now()) + 20);
    return () => clearTimeout(timer);
  }, [written, send]);

  const mine = leads.filter((lead) => lead.open && lead.assignee === me.id).length;
  const isCounted = useStore(alerts).count;
  const waiting = useMemo(() => leads.filter((lead) => lead.open && lead.assignee !== me.id).length, [leads, me.id]);
  useEffect(() => {
    document.title = `${waiting > 0 && isCounted ? `(${waiting}) ` : ''}${mainWords(words.title)} · ${config.company.name}`;
    return () => void (document.title = mainWords(words.title));
  }, [waiting, isCounted]);
  const unanswered = leads.filter(({ open, assignee }) => open && (!assignee || assignee === me.id)).length;
  useEffect(() => void showBadge(unanswered), [unanswered]);
  // Alerts set it again while the desk is closed or locked.
  useEffect(() => () => void showBadge(0), []);

  // Lateness changes with the minute, not with each look at the clock.
  const minute = Math.floor(now / 60_000) * 60_000;
  const counts = useMemo(() => {
    const count = (which: Filter) => leads.filter((lead) => fits(lead, which, me.id, minute)).length;
    return new Map(FILTERS.map((each) => [each, count(each)]));
  }, [leads, me.id, minute]);
  const query = useDeferredValue(typed.trim());
  const reminded = useStore(due);
  const sought = useSearch(query, isFresh);
  const shown = useMemo(() => {
    if (counted && !query) return counted.leads.map((lead) => leadById(lead.quote_id) ?? lead);
    const here = leads.filter(query ? searchFor(query) : (lead) => fits(lead, filter, me.id, minute));
    if (query) {
      const ids = new Set(here.map(({ quote_id }) => quote_id));
      const elsewhere = sought.found.filter(({ quote_id }) => !ids.has(quote_id));
      return [...here, ...elsewhere.map((lead) => leadById(lead.quote_id) ?? lead)];
    }
    if (filter !== 'mine' || reminded.size === 0) return here;
    return here.toSorted((one, other) => Number(isReminded(other, me.id)) - Number(isReminded(one, me.id)));
  }, [leads, counted, query, sought, filter, me.id, minute, reminded]);
  const isEmpty = shown.length === 0;
  const note = query
    ? noteOf(sought, query, isEmpty)
    : (counted?.says ??
      (isEmpty && heardAt !== undefined ? (filter === 'open' ? words.noneOpen : words.none) : undefined));

  const twins = leads.filter((lead) => lead.folio === folio);
  const chosen = twins.find(({ quote_id }) => quote_id === pressed) ?? twins[0];
  // So that keys work from the start, and where a lead that was open is blocked.
  const [isHeard, isOpen] = [heardAt !== undefined, chosen !== undefined];
  useEffect(() => {
    const isNowhere = [document.body, side.current].includes(document.activeElement as HTMLElement);
    // On a narrow screen a lead that is open lies over the list.
    const place = side.current?.clientHeight ? listOrItsPlace() : document.querySelector<HTMLElement>(SHEET);
    if (isHeard && isNowhere) place?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `isOpen` says when a lead that was open is gone, `isEmpty` the last row
  }, [isHeard, isOpen, isEmpty, listOrItsPlace]);
  useEffect(() => {
    if (folio && heardAt && !known.read().leads.some((lead) => lead.folio === folio))
      void seekFolio(folio).catch(() => undefined);
  }, [folio, heardAt]);

  const open = (lead: Lead, focused = SHEET) => {
    keep(lead);
    if (lead.folio !== folio) location.hash = lead.folio;
    // At once: after a word of the server React would take its time, and the focus go with the sheet that was there.
    flushSync(() => {
      setFolio(lead.folio);
      setPressed(lead.quote_id);
      setPart(focused);
      setTold(undefined);
    });
    // A closed one, or a colleague's, has no answer to write.
    const first = () => document.querySelector<HTMLElement>(focused) ?? document.querySelector<HTMLElement>(SHEET);
    requestAnimationFrame(() => first()?.focus());
  };
  const openStored = (lead: Lead, says: Text) => {
    setDialog(undefined);
    open(lead);
    setTold({ says, isGood: true });
  };
  const toList = () => {
    if (folio) location.hash = '';
    setFolio(undefined);
    setTold(undefined);
    requestAnimationFrame(() => listOrItsPlace()?.focus());
  };

  const toListOnKey = useEffectEvent(toList);

  /** Shortcuts of one letter, with a row focused (WCAG 2.1.4). */
  const onRowKey = (key: string, lead: Lead) => {
    if (key === 't' && !lead.assignee) void take(lead, me.id).then(tellOf(lead));
    if (key === 's' && lead.assignee === me.id && lead.status === 'tomada')
      void release(lead, me.id).then(tellOf(lead));
    if (key === 'r') open(lead, '[data-answer]');
    if (key === 'n') open(lead, '#note');
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isSingleKeyOn()) return;
      const isWritten = (event.target as Element).closest('input, textarea, select, dialog');
      if (isWritten || (event.key !== '/' && event.key !== '?')) return;
      event.preventDefault();
      if (event.key === '?') setDialog('keys');
      else if (side.current?.clientHeight) search.current?.focus();
      else {
        // On a narrow screen a lead that is open lies over it.
        toListOnKey();
        requestAnimationFrame(() => search.current?.focus());
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className={styles['desk']} data-chosen={chosen ? '' : undefined}>
      <Bar
        me={me}
        isFresh={isFresh}
        heardAt={heardAt}
        onOpen={setDialog}
        onLeave={() => (mine > 0 || isSavedHere() ? setDialog('leave') : signOut())}
      />

      <main className={styles['main']}>
        <section ref={side} className={styles['side']} aria-label={mainWords(words.list)} tabIndex={-1}>
          <Tools
            ref={search}
            typed={typed}
            onType={(each) => {
              setTold(undefined);
              setCounted(undefined);
              setTyped(each);
            }}
            onLeave={() => listOrItsPlace()?.focus()}
            filter={query || counted ? undefined : filter}
            counts={counts}
            onFilter={(each) => {
              setTold(undefined);
              setTyped('');
              setCounted(undefined);
              setFilter(each);
            }}
          />
          <div role="status" className={styles['none']} data-beside={isEmpty ? undefined : ''}>
            {note && <Bilingual text={note} />}
          </div>
          {(!isEmpty || heardAt === undefined) && (
            <>
              <p className={`label ${styles['columns']}`} aria-hidden="true">
                {Object.values(words.columns).map((column) => (
                  <span key={englishWords(column)} title={englishWords(column)}>
                    {mainWords(column)}
                  </span>
                ))}
              </p>
              <LeadList
                // Another list begins at its top.
                key={`${query} ${counted ? mainWords(counted.says) : filter}`}
                ref={list}
                leads={shown}
                me={me.id}
                now={now}
                chosen={chosen}
                onOpen={open}
                onKey={onRowKey}
              />
            </>
          )}
        </section>

        <div className={styles['sheet']}>
          <div role="alert" className={styles['told']} data-good={told?.isGood ? '' : undefined}>
            {told && <Bilingual text={told.says} />}
          </div>
          {chosen ? (
            <Apart key={chosen.quote_id} otherwise={<Bilingual text={words.unshown} />}>
              <LeadSheet
                lead={chosen}
                me={me}
                now={now}
                isWholeAtOnce={part !== SHEET}
                onBack={toList}
                onOpen={open}
                tell={tellOf(chosen)}
              />
            </Apart>
          ) : (
            <div className={styles['nothing']}>
              <Bilingual text={words.choose} />
            </div>
          )}
        </div>
      </main>
      {dialog === 'figures' && (
        <FiguresDialog
          leads={leads}
          shown={shown}
          what={query ? 'search' : counted ? 'figures' : filter}
          me={me}
          now={now}
          onShow={(those, says) => {
            setTyped('');
            setCounted({ leads: those, says });
            setDialog(undefined);
            // The number that was pressed is gone with the dialog. On a narrow screen a lead that is open lies over the list.
            requestAnimationFrame(() => (side.current?.clientHeight ? listOrItsPlace()?.focus() : toList()));
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'alerts' && <AlertsDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'leave' && <LeaveDialog me={me} count={mine} onClose={() => setDialog(undefined)} />}
      {dialog === 'keys' && <Keys onClose={() => setDialog(undefined)} />}
      {dialog === 'new' && <NewLead me={me.id} onClose={() => setDialog(undefined)} onOpen={openStored} />}
      {dialog === 'paste' && <Paste onClose={() => setDialog(undefined)} onOpen={openStored} />}
    </div>
  );
}
