import type { Field } from './lead/fields.ts';

// Names that page, links and worker share.

export const FORM_ID = 'reservar-espacio';

/** Form field that only bots fill in. */
export const HONEYPOT = 'sitio_web';

/** List of the visitor's quotes, opened by a link, an icon shortcut or a notification. */
export const QUOTES_ID = 'mis-cotizaciones';
export const QUOTES_ADDRESS = '#mis-cotizaciones';

/** Prefix of the key that opens a quote on another phone. */
export const LINK_ADDRESS = '#ver=';

/**
 * Content shared from another app: the path to which the app posts, the address that shows the content, and the cache
 * that holds it.
 */
export const SHARED_PATH = '/compartir';
export const SHARED_ADDRESS = '#compartido';
export const SHARED_CACHE = 'aeropuente-shared';

/** Database of files. The quotes' database stays at version 1, so that an older page can open it. */
export const FILES_STORE = 'aeropuente-files';

/** Key that is in localStorage while something waits to be sent, so that the loader need not open the database. */
export const WAITING_MARK = 'aeropuente.waiting';

/**
 * Key that is in localStorage while this phone has a quote; src/landing/before-paint.ts then shows the link to the
 * quotes.
 */
export const QUOTES_MARK = 'aeropuente.quotes';

/** Key of the draft in localStorage. */
export const DRAFT_KEY = 'aeropuente.draft';

/** Key that is set and removed when data is erased: the storage event reaches every tab. */
export const ERASED_KEY = 'aeropuente.erased';

/** Empty cache that exists in data saver mode: a new worker then stores fewer files (sw/files.ts). */
export const SPARING_MARK = 'aeropuente-sparing';

/** The tag of a Background Sync, periodic or not. */
export const SYNC_TAG = 'quotes';

/**
 * `FLUSH`: the page closes, so the worker sends. `SKIP_WAITING`: the visitor accepted the new release. `KEEP_ALL`: data
 * saver mode ended, so the worker fetches the missing files.
 */
export type ToWorker = { readonly type: 'FLUSH' | 'SKIP_WAITING' | 'KEEP_ALL' };

/** The visitor pressed a notification while a page was open. */
export type ToPage = { readonly type: 'OPEN_QUOTES' };

/** The colleague pressed a notification of the desk; `hash` names the quote. */
export type ToDesk = { readonly type: 'OPEN_LEAD'; readonly hash: string };

/** Markup for a form sent without script. server/posted-quote.ts replaces each `{{name}}` by an escaped value. */
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
