import { mainWords } from '../../../src/content/bilingual.ts';
import { whatsAppNotices as notices } from '../../../src/content/whatsapp-notices.ts';
import { FILE_TYPES } from '../../../src/lead/files.ts';
import { isRecord, type UnknownRecord } from '../../../src/lead/validation.ts';
import { retryTime } from '../../alerts/send-due.ts';
import { outcomeOfCode } from '../../alerts/whatsapp.ts';

// This file turns WhatsApp's webhooks into a list of events (items). The database then stores the effects of each event
// (supabase/schemas/92_whatsapp.sql).

interface Event {
  /** Id of the message at WhatsApp (wamid). */
  readonly id: string;
  readonly at: string;
  /** Number without +, and user id of the customer; each may be empty. */
  readonly number: string;
  readonly user: string;
}

/** Report that a message of ours was sent, delivered or read, or that the message failed. */
interface StatusItem extends Event {
  readonly kind: 'status';
  readonly message?: string;
  readonly attempt?: number;
  readonly outcome: string;
  readonly why: string;
  readonly code?: number;
  readonly again_at?: string;
}

interface MessageItem extends Event {
  readonly kind: 'message';
  readonly name: string;
  readonly body: string;
  /** Id of our message to which the customer replied. */
  readonly quoted: string;
  /** True if the customer no longer wants messages (BAJA, STOP or ALTO). */
  readonly stops: boolean;
  readonly files: readonly { readonly id: string; readonly name: string; readonly taken: boolean }[];
}

/** Change of a user's id; `was` is the old one. */
interface UserItem {
  readonly kind: 'user';
  readonly user: string;
  readonly was: string;
}

export type HookItem = StatusItem | MessageItem | UserItem;

const ATTEMPT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,4})$/;
const STOP = /^\s*(baja|stop|alto)\s*[.!]*\s*$/i;

const recordIn = (value: unknown): UnknownRecord => (isRecord(value) ? value : {});
const listIn = (value: unknown): readonly UnknownRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
/**
 * Removes NUL and replaces halves of surrogate pairs: JSON may contain both as escapes, and PostgreSQL refuses them.
 */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

/**
 * Returns the events of a webhook that are about our number, in their order. Events of an unknown form are left out.
 */
export function itemsOf(raw: string, phoneId: string, now: number): readonly HookItem[] {
  let body: unknown;
  try {
    body = JSON.parse(raw, storable);
  } catch {
    return [];
  }
  return listIn(recordIn(body)['entry']).flatMap((entry) =>
    listIn(entry['changes']).flatMap(({ field, value }) => {
      const { metadata, statuses, messages, contacts } = recordIn(value);
      if (field !== 'messages' || recordIn(metadata)['phone_number_id'] !== phoneId) return [];
      return [
        ...listIn(statuses).flatMap((status) => statusOf(status, now)),
        ...listIn(messages).flatMap((message) => messageOf(message, listIn(contacts), now)),
      ];
    }),
  );
}

/**
 * Reads the time of an event, given in seconds as text. For 24 hours after a customer's message WhatsApp allows free
 * text. A time in the future would lengthen this period, so it becomes the present time.
 */
function timeOf(timestamp: unknown, now: number): string {
  const at = Number(timestamp) * 1000;
  return new Date(at > 0 && at < now ? at : now).toISOString();
}

function statusOf(status: UnknownRecord, now: number): HookItem[] {
  const { status: state, recipient_id, recipient_user_id, biz_opaque_callback_data, errors } = status;
  const [, message, attempt = '1'] = ATTEMPT.exec(textIn(biz_opaque_callback_data)) ?? [];
  const beside = {
    kind: 'status',
    id: textIn(status['id']),
    at: timeOf(status['timestamp'], now),
    number: textIn(recipient_id),
    user: textIn(recipient_user_id),
    ...(message && { message, attempt: Number(attempt) }),
  } as const;
  if (!beside.id) return [];
  if (state === 'sent' || state === 'delivered' || state === 'read') return [{ ...beside, outcome: state, why: state }];
  if (state !== 'failed') return [];
  const given = Number(listIn(errors)[0]?.['code']);
  const code = Number.isSafeInteger(given) ? given : -1;
  const outcome = outcomeOfCode(code, Number(attempt));
  const isRetried = outcome.kind === 'again' || outcome.kind === 'rest';
  return [
    {
      ...beside,
      outcome: outcome.kind,
      why: String(code),
      code,
      ...(isRetried && { again_at: retryTime(outcome, Number(attempt), now).toISOString() }),
    },
  ];
}

function messageOf(message: UnknownRecord, contacts: readonly UnknownRecord[], now: number): HookItem[] {
  const { id, from, from_user_id, timestamp, type, context, system } = message;
  if (type === 'system') {
    const { user_id, previous_user_id } = recordIn(system);
    return textIn(user_id) && textIn(previous_user_id)
      ? [{ kind: 'user', user: textIn(user_id), was: textIn(previous_user_id) }]
      : [];
  }
  const contact =
    contacts.find(({ wa_id, user_id }) => (from ? wa_id === from : from_user_id && user_id === from_user_id)) ?? {};
  const number = textIn(from).replaceAll(/\D/g, '');
  const user = textIn(from_user_id) || textIn(contact['user_id']);
  // A reaction without an emoji means that the customer removed a reaction, so it is not stored as a message.
  if (!textIn(id) || !(number || user) || (type === 'reaction' && !recordIn(message['reaction'])['emoji'])) return [];
  const body = bodyOf(message);
  return [
    {
      kind: 'message',
      id: textIn(id),
      at: timeOf(timestamp, now),
      number,
      user,
      name: textIn(recordIn(contact['profile'])['name']) || textIn(recordIn(contact['profile'])['username']),
      body,
      quoted: textIn(recordIn(context)['id']),
      stops: STOP.test(body),
      files: filesOf(message),
    },
  ];
}

/** Returns the text of a message. A message without text, such as a picture, gets a notice in square brackets. */
function bodyOf(message: UnknownRecord): string {
  const { type } = message;
  const part = recordIn(message[textIn(type)]);
  const own = () => {
    switch (type) {
      case 'text':
        return textIn(part['body']);
      case 'button':
        return textIn(part['text']);
      case 'interactive':
        return textIn(recordIn(part['button_reply'])['title'] ?? recordIn(part['list_reply'])['title']);
      case 'location': {
        const place = [part['name'], part['address'], `${Number(part['latitude'])}, ${Number(part['longitude'])}`];
        return mainWords(notices.location(place.filter(Boolean).map(String).join(' · ')));
      }
      case 'contacts': {
        const names = listIn(message['contacts']).map(({ name, phones }) =>
          [recordIn(name)['formatted_name'], ...listIn(phones).map(({ phone }) => phone)].map(textIn).join(' '),
        );
        return mainWords(notices.contacts(names.join(', ')));
      }
      case 'reaction':
        return mainWords(notices.reaction(textIn(part['emoji'])));
      default:
        return textIn(part['caption']);
    }
  };
  const notice = type === 'image' || type === 'document' || type === 'audio' || type === 'video' || type === 'sticker';
  return own().trim() || mainWords(notices[notice ? type : 'unknown']);
}

/** Returns the files of a message. `taken`: false for types that are not stored. */
function filesOf(message: UnknownRecord): MessageItem['files'] {
  const part = recordIn(message[textIn(message['type'])]);
  const type = textIn(part['mime_type']).split(';')[0]!;
  const id = textIn(part['id']);
  if (!type || !id) return [];
  const name = textIn(part['filename']) || `${textIn(message['type'])}.${type.split('/')[1] ?? ''}`;
  return [{ id, name, taken: (FILE_TYPES as readonly string[]).includes(type) && /^[\w-]{1,200}$/.test(id) }];
}
