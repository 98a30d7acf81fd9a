// The words that the database stores. Its check constraints have the same; a test compares the two. Replies and what
// goes with a price are in said.ts and offer.ts, lengths in bounds.ts, the choices of the form in fields.ts.

/** Where a lead stands. */
export const STATUSES = ['nueva', 'tomada', 'respondida', 'ganada', 'perdida'] as const;

/** By which way a lead came. */
export const ORIGINS = ['formulario', 'llamada', 'whatsapp', 'feria', 'otro'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Codes of the trail, one for each kind of change of a lead. */
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
] as const;

/** What the sales team can do with an offer. */
export const DESK_MOVES = ['aceptada', 'retirada', 'reservada', 'sinespacio'] as const;
export type DeskMove = (typeof DESK_MOVES)[number];

/** Why a lead was lost. */
export const LOST_REASONS = ['precio', 'tiempo', 'espacio', 'documentos', 'silencio', 'otro'] as const;
export type LostReason = (typeof LOST_REASONS)[number];

/** Kinds of alerts, to a device or a mailbox. */
export const ALERT_KINDS = [
  'nueva',
  'recuperada',
  'quedan60',
  'quedan30',
  'quedan10',
  'tarde',
  'pregunta',
  'aceptada',
  'respuesta',
  'resultado',
  'prueba',
  'recordar',
  'nadie',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Kinds of alerts that become one with the number of leads, while nobody has taken them. */
export const COLLECTED_KINDS = ['nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde'] as const;
export type CollectedKind = (typeof COLLECTED_KINDS)[number];
export const isCollected = (kind: AlertKind): kind is CollectedKind =>
  (COLLECTED_KINDS as readonly AlertKind[]).includes(kind);

/** Is it told to the phone that asked? All others are told to the sales team. */
export const isForPhone = (kind: AlertKind): boolean => kind === 'respuesta' || kind === 'resultado';

/** Why a lead comes back to its owner: at a moment that was chosen, or before its price ends. */
export const REMINDER_REASONS = ['fecha', 'vence'] as const;

/** By which way. */
export const ALERT_WAYS = ['push', 'mail'] as const;

/** What a supervisor does beside the leads. */
export const DESK_ACTS = ['exporte', 'bloqueo'] as const;

/** Leads of one act of an export: their ids fit into the body of a request. */
export const MOST_EXPORTED = 300;

/** Signs of a colleague: here, going, and gone for good. */
export const STAFF_SIGNS = ['estoy', 'mevoy', 'baja'] as const;
