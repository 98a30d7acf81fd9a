import type { Field } from './lead/fields.ts';

// Names that the page, its links and the service worker share.

export const FORM_ID = 'reservar-espacio';

/** Form field that people do not see and only bots fill in. */
export const HONEYPOT = 'sitio_web';

/** Id of the list of the visitor's quotes. Links, icon shortcuts and notifications open the list by this id. */
export const QUOTES_ID = 'mis-cotizaciones';
export const QUOTES_ADDRESS = '#mis-cotizaciones';

/** Beginning of the hash in a share link, which opens a quote on another phone. The link's key follows. */
export const LINK_ADDRESS = '#ver=';

/**
 * Another app posts shared text and files to SHARED_PATH. SHARED_CACHE stores them until the page at SHARED_ADDRESS
 * shows them.
 */
export const SHARED_PATH = '/compartir';
export const SHARED_ADDRESS = '#compartido';
export const SHARED_CACHE = 'aeropuente-shared';

/**
 * Attached files have their own database. A store for them in the quotes' database would raise its version, and pages
 * of older releases could then not open it.
 */
export const FILES_STORE = 'aeropuente-files';

/**
 * Key in localStorage that exists while something waits to be sent. The loader (src/landing/client.ts) looks for this
 * key, which is faster than opening the database.
 */
export const WAITING_MARK = 'aeropuente.waiting';

/**
 * Key in localStorage that exists while this phone has a quote. src/landing/before-paint.ts then shows the link to the
 * quotes.
 */
export const QUOTES_MARK = 'aeropuente.quotes';

export const DRAFT_KEY = 'aeropuente.draft';

/**
 * Key in localStorage that is set and removed when the visitor erases all data. The change sends a storage event to the
 * other tabs, which then erase their drafts too.
 */
export const ERASED_KEY = 'aeropuente.erased';

/**
 * Empty cache that tells a new worker about data saver mode: while the cache exists, the worker caches fewer files
 * (sw/files.ts).
 */
export const SPARING_MARK = 'aeropuente-sparing';

/** Tag of the background sync and of the periodic background sync. */
export const SYNC_TAG = 'quotes';

/**
 * `FLUSH`: the page is closing, so the worker sends the waiting quotes. `SKIP_WAITING`: the visitor accepted the new
 * release. `KEEP_ALL`: data saver mode has ended, so the worker fetches the missing files.
 */
export type ToWorker = { readonly type: 'FLUSH' | 'SKIP_WAITING' | 'KEEP_ALL' };

/** Sent when the visitor pressed a notification and a page was already open. */
export type ToPage = { readonly type: 'OPEN_QUOTES' };

/** Sent when a colleague pressed a notification of the desk; `hash` names the lead. */
export type ToDesk = { readonly type: 'OPEN_LEAD'; readonly hash: string };

/**
 * HTML from which the server makes its response to a form that was sent without scripts. server/posted-quote.ts
 * replaces each `{{name}}` by an escaped value.
 */
export interface PostedParts {
  readonly head: string;
  /** HTML of the whole page. The server replaces `{{content}}` in this HTML by the form or the receipt. */
  readonly page: string;
  readonly form: string;
  /**
   * HTML of each field. `right`: without a fault. `wrong`: with a fault, whose sentence replaces `{{es}}` and `{{en}}`.
   */
  readonly fields: Readonly<Record<Field, readonly [right: string, wrong: string]>>;
  readonly receipt: string;
  readonly notice: string;
  /** Link to the form, for a page without the form. */
  readonly wayBack: string;
  readonly noticeVersion: string;
}
