import type { Field } from './lead/fields.ts';

// Names on which the page's scripts, its links and the worker must agree.

export const FORM_ID = 'reservar-espacio';

/** The field of the form that no person sees. */
export const HONEYPOT = 'sitio_web';

/** The visitor's list: a link, a shortcut of the icon and a notification open it. */
export const QUOTES_ID = 'mis-cotizaciones';
export const QUOTES_ADDRESS = '#mis-cotizaciones';

/** Before the key of a quote that is opened on another phone. */
export const LINK_ADDRESS = '#ver=';

/** Pictures and papers: not in the database of the quotes, whose version stays 1 so that an older page opens it. */
export const FILES_STORE = 'aeropuente-files';

/** Stands in localStorage while something waits: the loader sees it at the next start without opening the database. */
export const WAITING_MARK = 'aeropuente.waiting';

/** In localStorage while this phone has a quote: the page then begins with the way back to it (src/landing/before-paint.ts). */
export const QUOTES_MARK = 'aeropuente.quotes';

/** In localStorage: what is being written. */
export const DRAFT_KEY = 'aeropuente.draft';

/** A key there that comes and goes: the storage tells every tab of it. */
export const ERASED_KEY = 'aeropuente.erased';

/** A cache with nothing in it, there while data is saved: a worker that installs then keeps the least (sw/files.ts). */
export const SPARING_MARK = 'aeropuente-sparing';

/** The tag of a Background Sync, periodic or not. */
export const SYNC_TAG = 'quotes';

/**
 * `FLUSH`: the page goes, so what waits is the worker's. `SKIP_WAITING`: the visitor accepted the new
 * release. `KEEP_ALL`: no data is to be saved, so what was left out is fetched now.
 */
export type ToWorker = { readonly type: 'FLUSH' | 'SKIP_WAITING' | 'KEEP_ALL' };

/** A notification was pressed while a page was open, which answers. */
export type ToPage = { readonly type: 'OPEN_QUOTES' };

/** The same, of the desk's own worker: `hash` names the quote. */
export type ToDesk = { readonly type: 'OPEN_LEAD'; readonly hash: string };

/**
 * Markup of the answers to a form that was sent without script. `{{name}}` is the place of a value, which
 * server/posted-quote.ts escapes and fills in.
 */
export interface PostedParts {
  readonly head: string;
  /** The page around `{{content}}`. */
  readonly page: string;
  readonly form: string;
  /** Markup of each field in the form, without a fault and with the fault `{{es}}`, `{{en}}`. */
  readonly fields: Readonly<Record<Field, readonly [right: string, wrong: string]>>;
  readonly receipt: string;
  readonly notice: string;
  /** Link to the form, for a page that does not show it. */
  readonly wayBack: string;
  readonly noticeVersion: string;
}
