// Words that the database stores. Its check constraints list the same; a test compares both. Replies: messages.ts.
// Prices: offer.ts. Lengths: bounds.ts. Choices of the form: fields.ts.

export const STATUSES = ['nueva', 'tomada', 'respondida', 'ganada', 'perdida'] as const;

export const ORIGINS = ['formulario', 'llamada', 'whatsapp', 'feria', 'otro'] as const;
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
  'prueba',
  'recordar',
  'nadie',
  'rebotado',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Kinds whose alerts merge into one with a count, while nobody has taken the leads. */
export const COLLECTED_KINDS = ['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde'] as const;
export type CollectedKind = (typeof COLLECTED_KINDS)[number];
export const isCollected = (kind: AlertKind): kind is CollectedKind =>
  (COLLECTED_KINDS as readonly AlertKind[]).includes(kind);

/** True for alerts to the visitor's phone; all others go to the sales team. */
export const isForPhone = (kind: AlertKind): boolean => kind === 'respuesta' || kind === 'resultado';

/** Reasons why a lead returns to its owner: a chosen time, or the end of its price. */
export const REMINDER_REASONS = ['fecha', 'vence'] as const;

/** Roads of an alert: a device, the mailbox of the team, and the address of the customer. */
export const ALERT_WAYS = ['push', 'mail', 'customer'] as const;
export type AlertWay = (typeof ALERT_WAYS)[number];

export const DESK_ACTS = ['exporte', 'bloqueo'] as const;

/** Most leads per act of an export: their ids must fit into one request. */
export const MOST_EXPORTED = 300;

/** Signs of a colleague: here, going, going with the leads kept, and gone for good. */
export const STAFF_SIGNS = ['estoy', 'mevoy', 'conservo', 'baja'] as const;
