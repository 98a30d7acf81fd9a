// Fixed values that the database stores. The check constraints list the same values; a test compares them. Other fixed
// values are in messages.ts (replies), offer.ts (prices), bounds.ts (lengths) and fields.ts (choices of the form).

export const STATUSES = ['nueva', 'tomada', 'respondida', 'ganada', 'perdida'] as const;

export const ORIGINS = ['formulario', 'llamada', 'correo', 'whatsapp', 'feria', 'otro', 'importada'] as const;
export type Origin = (typeof ORIGINS)[number];

export const EVENTS = [
  'creada',
  'tomada',
  'relevada',
  'soltada',
  'respondida',
  'vista',
  'contestada',
  'reemplazada',
  'ganada',
  'perdida',
  'bloqueada',
  'desbloqueada',
  'borrada',
  'aceptada',
  'retirada',
  'reservada',
  'sinespacio',
  'traspasada',
  'liberada',
  'novedad',
  'vuelo',
  'paso',
  'importada',
] as const;

export const DESK_MOVES = ['aceptada', 'retirada', 'reservada', 'sinespacio'] as const;
export type DeskMove = (typeof DESK_MOVES)[number];

export const LOST_REASONS = ['precio', 'tiempo', 'espacio', 'documentos', 'silencio', 'otro'] as const;
export type LostReason = (typeof LOST_REASONS)[number];

export const ALERT_KINDS = [
  'nueva',
  'recuperada',
  'quedan60',
  'quedan30',
  'quedan10',
  'tarde',
  'pregunta',
  'contesta',
  'aceptada',
  'respuesta',
  'resultado',
  'paso',
  'papeles',
  'prueba',
  'recordar',
  'nadie',
  'rebotado',
  'sinasignar',
  'sinwhatsapp',
  'singuardar',
  'sinwebhook',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Kinds of alerts that are merged into one alert with a count, while nobody has taken the leads. */
export const COLLECTED_KINDS = ['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde'] as const;
export type CollectedKind = (typeof COLLECTED_KINDS)[number];
export const isCollected = (kind: AlertKind): kind is CollectedKind =>
  (COLLECTED_KINDS as readonly AlertKind[]).includes(kind);

/** True for alerts to the customer's phone; all other alerts go to the sales team. */
export const isForCustomer = (kind: AlertKind): boolean =>
  (['respuesta', 'resultado', 'paso', 'papeles'] satisfies AlertKind[] as AlertKind[]).includes(kind);

/** States of a WhatsApp message. 'sending': WhatsApp has not yet confirmed that it was sent. */
export const DELIVERIES = ['sending', 'sent', 'failed', 'delivered', 'read'] as const;

/** Reasons for a reminder about a lead: a chosen time ('fecha'), or the last day of its offer ('vence'). */
export const REMINDER_REASONS = ['fecha', 'vence'] as const;

/**
 * Ways of sending an alert: to a device ('push'), to the sales team's mailbox ('mail'), and to the customer by e-mail
 * ('customer') or WhatsApp.
 */
export const ALERT_WAYS = ['push', 'mail', 'customer', 'whatsapp'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];

/** Channels by which a customer's message can arrive without the page. */
export const CHANNELS = ['correo', 'whatsapp'] as const;
export type ReceivedBy = (typeof CHANNELS)[number];

/** States of a received message: not yet assigned, assigned to a lead's conversation, or discarded. */
export const RECEIVED_STATES = ['pendiente', 'asignado', 'descartado'] as const;

/**
 * Results of importing a lead: stored, already there, identical to a quote of the same day, erased earlier, or refused.
 */
export const IMPORT_OUTCOMES = ['stored', 'there', 'same', 'erased', 'refused'] as const;

export const DESK_ACTS = ['exporte', 'bloqueo'] as const;

/** Maximum number of leads in one step of an export: as many ids as fit into one request. */
export const MOST_EXPORTED = 300;

/** Signals of a colleague: at work, away and giving up the leads, away but keeping the leads, or leaving for good. */
export const STAFF_SIGNS = ['estoy', 'mevoy', 'conservo', 'baja'] as const;

export const WEBHOOK_EVENTS = [
  'quote.received',
  'quote.answered',
  'offer.accepted',
  'shipment.booked',
  'shipment.milestone',
  'quote.lost',
  'quote.erased',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * States of a webhook's delivery. 'aside': all attempts of one day failed; 'erased': the quote was erased before the
 * delivery was sent.
 */
export const WEBHOOK_STATES = ['waiting', 'sending', 'delivered', 'aside', 'erased'] as const;
