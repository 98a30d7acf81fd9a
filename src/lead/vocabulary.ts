// Fixed values that the database stores. Its check constraints list the same values, and a test compares the two.
// Values of replies: messages.ts; prices: offer.ts; lengths: bounds.ts; choices of the form: fields.ts.

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
  'sinwebhook',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Kinds of alerts that are merged into one alert with a count, while nobody has taken their quote requests. */
export const COLLECTED_KINDS = ['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde'] as const;
export type CollectedKind = (typeof COLLECTED_KINDS)[number];
export const isCollected = (kind: AlertKind): kind is CollectedKind =>
  (COLLECTED_KINDS as readonly AlertKind[]).includes(kind);

/** True for alerts to the visitor's phone; all others go to the sales team. */
export const isForPhone = (kind: AlertKind): boolean =>
  (['respuesta', 'resultado', 'paso', 'papeles'] satisfies AlertKind[] as AlertKind[]).includes(kind);

/** Progress of a message by WhatsApp. 'sending': WhatsApp has confirmed nothing yet. */
export const DELIVERIES = ['sending', 'sent', 'failed', 'delivered', 'read'] as const;

/**
 * Reasons why a quote request returns to its owner: a chosen time ('fecha'), or the last day of its offer ('vence').
 */
export const REMINDER_REASONS = ['fecha', 'vence'] as const;

/** Ways of sending an alert: to a device, to the sales team's mailbox, and to the customer by e-mail and by WhatsApp. */
export const ALERT_WAYS = ['push', 'mail', 'customer', 'whatsapp'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];

/** Channels other than the page by which a customer's message can arrive. */
export const CHANNELS = ['correo', 'whatsapp'] as const;
export type ReceivedBy = (typeof CHANNELS)[number];

/** States of a received message: waiting for a colleague, in the conversation of a quote request, or discarded. */
export const RECEIVED_STATES = ['pendiente', 'asignado', 'descartado'] as const;

/** Results of importing a lead: stored, there already, an identical request of that day, erased before, or refused. */
export const IMPORT_OUTCOMES = ['stored', 'there', 'same', 'erased', 'refused'] as const;

export const DESK_ACTS = ['exporte', 'bloqueo'] as const;

/** Most quote requests in one step of an export: their ids must fit into one request. */
export const MOST_EXPORTED = 300;

/**
 * Messages by which a colleague reports: being here, leaving, leaving but keeping the requests, and leaving for good.
 */
export const STAFF_SIGNS = ['estoy', 'mevoy', 'conservo', 'baja'] as const;

/** Events that webhooks report to other programs. */
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

/** States of a delivery. 'aside': a day of attempts failed; 'erased': its quote was erased before it was sent. */
export const WEBHOOK_STATES = ['waiting', 'sending', 'delivered', 'aside', 'erased'] as const;
