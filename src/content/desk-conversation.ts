import type { Bilingual } from './bilingual.ts';

/** Texts of the history of a lead. */
export const deskConversation = {
  title: { es: 'Historial', en: 'History' },
  loading: { es: 'Cargando…', en: 'Loading…' },
  notRead: { es: 'No se pudo cargar el historial.', en: 'The history could not be loaded.' },
  asked: { es: 'Solicitud recibida', en: 'Request received' },
  noteBy: (name: string): Bilingual => ({ es: `Nota de ${name}`, en: `Note by ${name}` }),
  seenAt: (time: string): Bilingual => ({ es: `Vista ${time}`, en: `Seen ${time}` }),
  notSeen: { es: 'Sin ver todavía', en: 'Not seen yet' },
  mail: {
    sent: (time: string): Bilingual => ({ es: `correo enviado ${time}`, en: `e-mail sent ${time}` }),
    again: (why: string): Bilingual => ({
      es: `correo: volvemos a intentar (${why})`,
      en: `e-mail: trying again (${why})`,
    }),
    waiting: { es: 'correo por enviar', en: 'e-mail to be sent' },
    failed: (why: string): Bilingual => ({
      es: `el correo no llegó (${why})`,
      en: `the e-mail did not arrive (${why})`,
    }),
    stopped: { es: 'sin correo: el cliente no quiere recibirlos', en: 'no e-mail: the customer wants none' },
    over: { es: 'correo no enviado: hubo otra respuesta', en: 'e-mail not sent: another answer came' },
  },
  /** State of a WhatsApp message to the customer, as WhatsApp reports it. */
  whatsapp: {
    sent: (time: string): Bilingual => ({ es: `WhatsApp enviado ${time}`, en: `WhatsApp sent ${time}` }),
    delivered: (time: string): Bilingual => ({ es: `WhatsApp entregado ${time}`, en: `WhatsApp delivered ${time}` }),
    read: (time: string): Bilingual => ({ es: `WhatsApp leído ${time}`, en: `WhatsApp read ${time}` }),
    sending: { es: 'WhatsApp enviándose', en: 'WhatsApp being sent' },
    unknown: {
      es: 'WhatsApp sin confirmar: quizá no llegó',
      en: 'WhatsApp not confirmed: it may not have arrived',
    },
    failed: (why: string): Bilingual => ({ es: `WhatsApp no llegó: ${why}`, en: `WhatsApp did not arrive: ${why}` }),
    again: (why: string): Bilingual => ({
      es: `WhatsApp: volvemos a intentar (${why})`,
      en: `WhatsApp: trying again (${why})`,
    }),
    waiting: { es: 'WhatsApp por enviar', en: 'WhatsApp to be sent' },
    late: { es: 'WhatsApp no enviado en un día', en: 'WhatsApp not sent within a day' },
    over: { es: 'WhatsApp no enviado: ya no hacía falta', en: 'WhatsApp not sent: no longer needed' },
  },
  /** Line above the form for an answer, shown if the answer is also sent by WhatsApp. */
  alsoByWhatsApp: {
    open: (time: string): Bilingual => ({
      es: `También sale por WhatsApp. Texto libre hasta ${time}; después, sólo el aviso con el enlace.`,
      en: `It also goes by WhatsApp. Free text until ${time}; later only the notice with the link.`,
    }),
    closed: {
      es: 'También sale por WhatsApp, como aviso con el enlace: el cliente no ha escrito en 24 horas.',
      en: 'It also goes by WhatsApp, as a notice with the link: the customer has not written for 24 hours.',
    },
  },
  by: {
    oferta: (name: string): Bilingual => ({ es: `Oferta de ${name}`, en: `Offer by ${name}` }),
    pregunta: (name: string): Bilingual => ({ es: `Pregunta de ${name}`, en: `Question by ${name}` }),
    mensaje: (name: string): Bilingual => ({ es: `Mensaje de ${name}`, en: `Message by ${name}` }),
  },
  states: {
    vigente: { es: 'vigente', en: 'valid' },
    reemplazada: { es: 'reemplazada por una más reciente', en: 'replaced by a newer one' },
    retirada: { es: 'retirada', en: 'withdrawn' },
    vencida: { es: 'vencida', en: 'expired' },
    aceptada: { es: 'aceptada', en: 'accepted' },
    reservada: { es: 'reservada', en: 'booked' },
    sinespacio: { es: 'sin espacio', en: 'no space' },
  },
  replies: {
    aceptada: { es: 'Aceptó la oferta', en: 'Accepted the offer' },
    pregunta: { es: 'Pregunta', en: 'Question' },
  },
  replied: { es: 'Respondió', en: 'Replied' },
  byLink: { es: 'desde un enlace', en: 'from a link' },
  claims: {
    es: 'Dice que aceptó una oferta que no está registrada',
    en: 'Says they accepted an offer that is not on record',
  },
  claimed: { es: 'Según el teléfono del cliente, decía:', en: 'According to the customer’s phone, it said:' },
  bindsNobody: { es: 'sin efecto', en: 'without effect' },
  verdicts: {
    vale: undefined,
    repetida: { es: 'repetida', en: 'repeated' },
    vencida: { es: 'ya había vencido: sin efecto', en: 'it had expired: without effect' },
    reemplazada: { es: 'ya había una más reciente: sin efecto', en: 'there was a newer one: without effect' },
    retirada: { es: 'ya se había retirado: sin efecto', en: 'it had been withdrawn: without effect' },
    sinoferta: { es: 'no era una oferta: sin efecto', en: 'it was not an offer: without effect' },
  },
  pressed: (time: string): Bilingual => ({
    es: `Según el teléfono del cliente, la aceptó sin señal ${time}, cuando aún estaba vigente.`,
    en: `According to the customer’s phone, they accepted it without signal ${time}, while it was still valid.`,
  }),
  events: {
    aceptada: (name: string): Bilingual => ({
      es: `${name} registró la aceptación`,
      en: `${name} recorded the acceptance`,
    }),
    retirada: (name: string): Bilingual => ({ es: `${name} retiró la oferta`, en: `${name} withdrew the offer` }),
    reservada: (name: string): Bilingual => ({ es: `${name} la reservó`, en: `Booked by ${name}` }),
    sinespacio: (name: string): Bilingual => ({ es: `${name} indicó que no hay espacio`, en: `No space, by ${name}` }),
    tomada: (name: string): Bilingual => ({ es: `${name} la tomó`, en: `Taken by ${name}` }),
    relevada: (name: string): Bilingual => ({ es: `${name} tomó el relevo`, en: `Taken over by ${name}` }),
    soltada: (name: string): Bilingual => ({ es: `${name} la liberó`, en: `Released by ${name}` }),
    ganada: (name: string): Bilingual => ({ es: `${name} la cerró como ganada`, en: `Closed as won by ${name}` }),
    perdida: (name: string): Bilingual => ({ es: `${name} la cerró como perdida`, en: `Closed as lost by ${name}` }),
    traspasada: (name: string): Bilingual => ({ es: `${name} la reasignó`, en: `Reassigned by ${name}` }),
    liberada: (): Bilingual => ({
      es: 'Volvió a la lista: su responsable no está',
      en: 'Back on the list: its owner is away',
    }),
    importada: (name: string): Bilingual => ({
      es: `${name} la importó de un archivo`,
      en: `Imported by ${name} from a file`,
    }),
    reemplazada: { es: 'Reemplazada por una corrección', en: 'Replaced by a correction' },
  },
  oneRecord: { es: 'Descargar ONE Record', en: 'Download ONE Record' },
  note: {
    title: { es: 'Nota para colegas', en: 'Note for colleagues' },
    send: { es: 'Guardar nota', en: 'Save note' },
    saved: { es: 'Nota guardada.', en: 'Note saved.' },
  },
} as const;
