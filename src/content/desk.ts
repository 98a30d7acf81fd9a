import { alertWords } from './alerts.ts';
import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';

/** The words of the sales team's page. */
export const desk = {
  title: { es: 'Mesa', en: 'Desk' },
  signIn: {
    title: { es: 'Entrar a la mesa', en: 'Sign in to the desk' },
    email: { es: 'Correo', en: 'E-mail' },
    password: { es: 'Contraseña', en: 'Password' },
    send: { es: 'Entrar', en: 'Sign in' },
    sending: { es: 'Entrando…', en: 'Signing in…' },
    idle: {
      es: 'Se cerró sola tras diez minutos sin uso. Lo que estaba escribiendo sigue aquí para quien lo escribió.',
      en: 'It locked itself after ten minutes without use. What you were writing is still here for you.',
    },
    counted: (open: number, late: number): Bilingual => ({
      es: `${open} ${open === 1 ? 'solicitud abierta' : 'solicitudes abiertas'}${late > 0 ? `, ${late} tarde` : ''}`,
      en: `${open} open ${open === 1 ? 'request' : 'requests'}${late > 0 ? `, ${late} late` : ''}`,
    }),
    lost: {
      es: 'La sesión terminó. Entre de nuevo: lo que estaba escribiendo sigue aquí.',
      en: 'The session has ended. Sign in again: what you were writing is still here.',
    },
    notStaff: { es: 'Esta cuenta no es de la mesa.', en: 'This account is not one of the desk.' },
    wrong: { es: 'El correo o la contraseña no es.', en: 'The e-mail or the password is wrong.' },
    throttled: {
      es: 'Demasiados intentos. Espere un cuarto de hora.',
      en: 'Too many tries. Wait a quarter of an hour.',
    },
    savedHere: {
      es: 'Una respuesta guardada no ha salido: sale cuando entre quien la guardó. Si entra otra persona, se pierde.',
      en: 'A saved answer has not gone out: it goes once who saved it signs in. If somebody else does, it is lost.',
    },
    forgotten: {
      es: '¿Olvidó su contraseña? Quien administra el servidor le da otra.',
      en: 'Forgot your password? Whoever runs the server gives you another.',
    },
  },
  newPassword: {
    title: { es: 'Elija su contraseña', en: 'Choose your password' },
    why: {
      es: 'La que recibió es sólo para entrar la primera vez.',
      en: 'The one you were given is for the first time only.',
    },
    current: { es: 'La que recibió', en: 'The one you were given' },
    next: { es: 'La nueva, de 12 caracteres o más', en: 'The new one, 12 characters or more' },
    again: { es: 'La nueva, otra vez', en: 'The new one, again' },
    send: { es: 'Guardar y entrar', en: 'Save and go in' },
    differs: { es: 'Las dos nuevas no son iguales.', en: 'The two new ones differ.' },
    weak: {
      es: 'Necesita de 12 a 200 caracteres y no ser fácil de adivinar.',
      en: 'It needs 12 to 200 characters and must not be easy to guess.',
    },
    same: { es: 'Elija una que no sea la que recibió.', en: 'Choose one that is not the one you were given.' },
    wrongCurrent: { es: 'La que recibió no es ésa.', en: 'That is not the one you were given.' },
  },
  reach: {
    by: {
      desk: { es: 'por la mesa', en: 'by the desk' },
      devices: (count: number): Bilingual =>
        count === 1
          ? { es: 'por un equipo', en: 'by one device' }
          : { es: `por ${count} equipos`, en: `by ${count} devices` },
      and: { es: ' y ', en: ' and ' },
      nothing: { es: 'por nada', en: 'by nothing' },
    },
    told: (es: string, en: string): Bilingual => ({ es: `Avisos: ${es}`, en: `Alerts: ${en}` }),
    nobody: { es: 'Avisos: nadie está', en: 'Alerts: nobody is here' },
    unreached: {
      es: 'Con la mesa cerrada nadie recibe avisos: actívelos en Avisos.',
      en: 'With the desk closed nobody is told: turn alerts on.',
    },
  },
  leave: {
    title: { es: 'Me voy', en: 'I am leaving' },
    open: (count: number): Bilingual =>
      count === 1
        ? { es: 'Tiene una solicitud abierta.', en: 'You have one open request.' }
        : { es: `Tiene ${count} solicitudes abiertas.`, en: `You have ${count} open requests.` },
    saved: {
      es: 'Una respuesta guardada no ha salido: sale antes de que usted se vaya.',
      en: 'A saved answer has not gone out: it goes before you leave.',
    },
    to: { es: 'Quedan para', en: 'They are left to' },
    all: { es: 'quien las tome', en: 'whoever takes them' },
    unsent: (folios: string): Bilingual => ({
      es: `La respuesta guardada de ${folios} no ha salido. Espere a que salga, o descártela, e intente de nuevo.`,
      en: `The saved answer to ${folios} has not gone out. Wait until it has, or discard it, and try again.`,
    }),
    go: { es: 'Me voy', en: 'Leave' },
  },
  change: { es: 'Cambiar de persona', en: 'Change person' },
  unreachable: { es: 'No hubo respuesta del servidor.', en: 'The server did not answer.' },
  failed: { es: 'El servidor no lo aceptó.', en: 'The server did not accept it.' },
  olderDatabase: {
    es: 'La base de datos es de una versión anterior y aún no sabe de esto.',
    en: 'The database is of an earlier release and does not know of this yet.',
  },

  fresh: { es: 'Al día', en: 'Up to date' },
  asking: { es: 'Preguntando…', en: 'Asking…' },
  stale: (time: string): Bilingual => ({
    es: `Sin conexión · lo de las ${time}`,
    en: `No connection · as of ${time}`,
  }),
  neverHeard: { es: 'Sin conexión', en: 'No connection' },

  filters: {
    open: { es: 'Abiertas', en: 'Open' },
    mine: { es: 'Mías', en: 'Mine' },
    answered: { es: 'Respondidas', en: 'Answered' },
    late: { es: 'Tarde', en: 'Late' },
    closed: { es: 'Cerradas', en: 'Closed' },
  },
  show: { es: 'Mostrar', en: 'Show' },
  search: {
    es: 'Buscar folio, nombre, empresa, teléfono o correo',
    en: 'Search reference, name, company, phone or e-mail',
  },
  list: { es: 'Solicitudes', en: 'Requests' },
  none: { es: 'Nada por aquí.', en: 'Nothing here.' },
  noneOpen: { es: 'Nadie espera respuesta.', en: 'Nobody is waiting for an answer.' },
  columns: {
    clock: { es: 'Plazo', en: 'Time' },
    folio: { es: 'Folio', en: 'Reference' },
    who: { es: 'Quién', en: 'Who' },
    cargo: { es: 'Carga', en: 'Cargo' },
    owner: { es: 'La tiene', en: 'Held by' },
  },
  kilos: (kilos: string): Bilingual => ({ es: `${kilos}\u00a0kg/mes`, en: `${kilos}\u00a0kg a month` }),
  mine: { es: 'Usted', en: 'You' },

  clock: {
    left: (time: string): Bilingual => ({ es: `quedan ${time}`, en: `${time} left` }),
    late: (time: string): Bilingual => ({ es: `tarde por ${time}`, en: `late by ${time}` }),
    took: (time: string): Bilingual => ({ es: `en ${time}`, en: `in ${time}` }),
    tookLate: (time: string): Bilingual => ({ es: `en ${time}, tarde`, en: `in ${time}, late` }),
    replaced: { es: 'reemplazada', en: 'replaced' },
    unanswered: { es: 'sin respuesta', en: 'unanswered' },
  },
  minutes: (minutes: number): string => `${minutes}\u00a0min`,
  hours: (hours: number, minutes: number): string => `${hours}\u00a0h ${minutes}\u00a0min`,
  days: (days: number, hours: number): string => `${days}\u00a0d ${hours}\u00a0h`,

  status: {
    nueva: { es: 'nueva', en: 'new' },
    tomada: { es: 'tomada', en: 'taken' },
    respondida: { es: 'respondida', en: 'answered' },
    ganada: { es: 'ganada', en: 'won' },
    perdida: { es: 'perdida', en: 'lost' },
  },
  replyWaits: { es: 'contestó', en: 'replied' },

  back: { es: 'Lista', en: 'List' },
  choose: {
    es: `Elija una solicitud. Cada palabra que se pregunta se responde en ${claims.response}.`,
    en: `Choose a request. Every word that is asked is answered within ${claims.response}.`,
  },
  call: { es: 'Llamar', en: 'Call' },
  whatsapp: { es: 'WhatsApp', en: 'WhatsApp' },
  mail: { es: 'Escribir correo', en: 'Write an e-mail' },
  courtesy: {
    es: 'Abrirlos es cortesía: el plazo termina con la respuesta guardada aquí.',
    en: 'Opening them is a courtesy: the clock stops with the answer saved here.',
  },
  greeting: (name: string, folio: string, company: string) =>
    `Buen día, ${name}. Le escribimos de ${company} por su cotización ${folio}.`,
  seeIt: (link: string) => `Véala en su teléfono, con las respuestas (el enlace es una llave: no lo comparta): ${link}`,
  subject: (folio: string, company: string) => `Cotización ${folio} · ${company}`,
  sameAs: { es: 'Otra igual que', en: 'The same again as' },
  recovered: { es: 'recuperada del teléfono', en: 'recovered from the phone' },
  shipment: { es: 'Un embarque', en: 'One shipment' },
  wantsCall: { es: 'Pide que le llamen', en: 'Asks to be called' },
  wantsPromotions: { es: 'Quiere promociones', en: 'Wants promotions' },
  received: { es: 'Recibida', en: 'Received' },
  due: { es: 'Responder antes de', en: 'Answer before' },
  replaces: { es: 'Corrige', en: 'Corrects' },
  replacedBy: { es: 'Reemplazada por', en: 'Replaced by' },

  take: { es: 'Tomar', en: 'Take' },
  release: { es: 'Soltar', en: 'Release' },
  takeOver: (name: string): Bilingual => ({ es: `Relevar a ${name}`, en: `Take over from ${name}` }),
  dealtWith: { es: 'Atendida', en: 'Dealt with' },
  won: { es: 'Ganada', en: 'Won' },
  lost: { es: 'Perdida', en: 'Lost' },
  lostBecause: { es: '¿Por qué se perdió?', en: 'Why was it lost?' },
  lostReasons: {
    precio: { es: 'precio', en: 'price' },
    tiempo: { es: 'tiempo', en: 'time' },
    espacio: { es: 'espacio', en: 'space' },
    documentos: { es: 'documentos', en: 'documents' },
    silencio: { es: 'sin respuesta', en: 'no answer' },
    otro: { es: 'otro', en: 'other' },
  },
  lostWord: { es: 'En una palabra', en: 'In a word' },
  lostNote: (reason: string) => `Perdida: ${reason}`,
  offer: {
    accepted: (offer: string): Bilingual => ({ es: `Aceptó ${offer}`, en: `Accepted ${offer}` }),
    acceptedMark: { es: 'Aceptada', en: 'Accepted' },
    replied: { es: 'Contestó', en: 'Replied' },
    asksOld: { es: 'quiere la oferta anterior', en: 'wants the earlier offer' },
    asksOldShort: { es: 'oferta anterior', en: 'earlier offer' },
    acceptedReply: { es: 'aceptó', en: 'accepted' },
    byLink: { es: 'desde un enlace', en: 'on a phone with the link' },
    claims: {
      es: 'dice que aceptó una respuesta que aquí no está',
      en: 'says they accepted an answer that is not here',
    },
    claimsMark: {
      es: 'Dice que aceptó una respuesta que aquí no está',
      en: 'Says they accepted an answer that is not here',
    },
    claimsShort: { es: 'dice que aceptó', en: 'says they accepted' },
    claimed: { es: 'Según el teléfono de quien pidió, decía:', en: 'According to the sender’s phone, it said:' },
    bindsNobody: { es: 'no obliga a nadie', en: 'it binds nobody' },
    kinds: {
      oferta: (name: string): Bilingual => ({ es: `Oferta de ${name}`, en: `Offer by ${name}` }),
      pregunta: (name: string): Bilingual => ({ es: `Pregunta de ${name}`, en: `Question by ${name}` }),
      mensaje: (name: string): Bilingual => ({ es: `Mensaje de ${name}`, en: `Message by ${name}` }),
    },
    states: {
      vigente: { es: 'vigente', en: 'standing' },
      reemplazada: { es: 'reemplazada por otra más nueva', en: 'replaced by a newer one' },
      retirada: { es: 'retirada', en: 'withdrawn' },
      vencida: { es: 'vencida', en: 'expired' },
      aceptada: { es: 'aceptada', en: 'accepted' },
      reservada: { es: 'reservada', en: 'booked' },
      sinespacio: { es: 'sin espacio', en: 'no space' },
    },
    verdicts: {
      vale: undefined,
      repetida: { es: 'otra vez la misma', en: 'the same once more' },
      vencida: { es: 'ya había vencido: no obliga a nadie', en: 'it had expired: it binds nobody' },
      reemplazada: { es: 'ya había otra más nueva: no obliga a nadie', en: 'there was a newer one: it binds nobody' },
      retirada: { es: 'ya se había retirado: no obliga a nadie', en: 'it had been withdrawn: it binds nobody' },
      sinoferta: { es: 'no era una oferta: no obliga a nadie', en: 'it was no offer: it binds nobody' },
    },
    pressed: (time: string): Bilingual => ({
      es: `Según el teléfono de quien pidió, la aceptó sin señal ${time}, cuando todavía valía.`,
      en: `According to the sender’s phone, they accepted it without signal ${time}, while it still held.`,
    }),
    confirm: { es: 'Darla por aceptada', en: 'Take it as accepted' },
    withdraw: { es: 'Retirar la oferta', en: 'Withdraw the offer' },
    why: { es: '¿Por qué? El cliente lo lee', en: 'Why? The customer reads it' },
    reserve: { es: 'Reservada', en: 'Booked' },
    noSpace: { es: 'Sin espacio', en: 'No space' },
    next: { es: 'Qué sigue: el cliente lo lee', en: 'What comes next: the customer reads it' },
    reference: { es: 'Referencia de la aerolínea, si la hay', en: 'Reference of the airline, if there is one' },
    word: { es: 'Unas palabras para el cliente, si quiere', en: 'A word for the customer, if you like' },
    needsWord: { es: 'Escriba unas palabras: el cliente las lee.', en: 'Write a few words: the customer reads them.' },
    saved: { es: 'Guardado. El teléfono lo dice.', en: 'Saved. The phone says it.' },
    howToAccept: (folio: string): string =>
      `Para aceptarla, abra nuestra página en el teléfono con el que pidió la cotización ${folio}, o responda a este mensaje.`,
  },
  copy: { es: 'Copiar', en: 'Copy' },
  copied: { es: 'Copiado.', en: 'Copied.' },
  reopen: { es: 'Reabrir', en: 'Reopen' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  conflict: {
    owned: (name: string, when: string): Bilingual => ({
      es: `La tiene ${name} desde ${when}. Nada cambió; lo que usted escribió sigue aquí.`,
      en: `${name} has had it since ${when}. Nothing was changed; what you wrote is still here.`,
    }),
    free: (when: string): Bilingual => ({
      es: `Cambió a las ${when} y ahora no la tiene nadie. Tómela primero; lo que usted escribió sigue aquí.`,
      en: `It changed at ${when} and nobody has it now. Take it first; what you wrote is still here.`,
    }),
    changed: (name: string, when: string): Bilingual => ({
      es: `Cambió mientras tanto (${name}, ${when}). Mírela y repita; lo que usted escribió sigue aquí.`,
      en: `It changed meanwhile (${name}, ${when}). Look and do it again; what you wrote is still here.`,
    }),
    accepted: {
      es: 'El cliente aceptó la oferta: diga primero si quedó reservada o sin espacio. Lo que usted escribió sigue aquí.',
      en: 'The customer accepted the offer: say first whether it is booked or has no space. What you wrote is still here.',
    },
    moved: {
      es: 'Esa oferta cambió mientras tanto. Mírela y repita.',
      en: 'That offer has changed meanwhile. Look and do it again.',
    },
    sentBefore: {
      es: 'La primera versión ya había salido. Lo que usted cambió sigue aquí: guárdelo otra vez y va aparte.',
      en: 'The first version had gone out already. What you changed is still here: save it again and it goes on its own.',
    },
    gone: { es: 'Esta solicitud ya no está disponible.', en: 'This request is no longer available.' },
  },
  notDone: {
    es: 'No hubo respuesta del servidor: no sabemos si se hizo. Intente de nuevo.',
    en: 'The server did not answer: we do not know whether it was done. Try again.',
  },

  said: { es: 'Lo dicho', en: 'What was said' },
  loading: { es: 'Leyendo…', en: 'Reading…' },
  unshown: {
    es: 'Aquí hay algo que esta página no sabe mostrar.',
    en: 'Here is something that this page cannot show.',
  },
  notRead: { es: 'No se pudo leer lo dicho.', en: 'What was said could not be read.' },
  asked: { es: 'Solicitud recibida', en: 'Request received' },
  noteBy: (name: string): Bilingual => ({ es: `Nota de ${name}`, en: `Note by ${name}` }),
  replies: {
    aceptada: { es: 'Aceptó la respuesta', en: 'Accepted the answer' },
    pregunta: { es: 'Pregunta', en: 'Question' },
  },
  seenAt: (time: string): Bilingual => ({ es: `Vista ${time}`, en: `Seen ${time}` }),
  notSeen: { es: 'Todavía no vista', en: 'Not seen yet' },
  events: {
    aceptada: (name: string): Bilingual => ({
      es: `Dada por aceptada, dice ${name}`,
      en: `Taken as accepted, says ${name}`,
    }),
    retirada: (name: string): Bilingual => ({
      es: `La oferta la retiró ${name}`,
      en: `The offer was withdrawn by ${name}`,
    }),
    reservada: (name: string): Bilingual => ({ es: `Reservada, dice ${name}`, en: `Booked, says ${name}` }),
    sinespacio: (name: string): Bilingual => ({ es: `Sin espacio, dice ${name}`, en: `No space, says ${name}` }),
    tomada: (name: string): Bilingual => ({ es: `La tomó ${name}`, en: `Taken by ${name}` }),
    relevada: (name: string): Bilingual => ({ es: `La relevó ${name}`, en: `Taken over by ${name}` }),
    soltada: (name: string): Bilingual => ({ es: `La soltó ${name}`, en: `Released by ${name}` }),
    ganada: (name: string): Bilingual => ({ es: `Ganada, dice ${name}`, en: `Won, says ${name}` }),
    perdida: (name: string): Bilingual => ({ es: `Perdida, dice ${name}`, en: `Lost, says ${name}` }),
    traspasada: (name: string): Bilingual => ({
      es: `La pasó ${name} a un colega`,
      en: `Handed to a colleague by ${name}`,
    }),
    liberada: (): Bilingual => ({
      es: 'Volvió a la lista: quien la tenía no está',
      en: 'Back on the list: whoever had it is away',
    }),
    reemplazada: { es: 'Reemplazada por una corrección', en: 'Replaced by a correction' },
  },
  colleague: { es: 'colega', en: 'a colleague' },
  unknown: { es: 'no se sabe', en: 'not known' },

  answer: {
    title: { es: 'Responder', en: 'Answer' },
    kind: { es: 'Qué es', en: 'What it is' },
    kinds: {
      oferta: { es: 'Oferta', en: 'Offer' },
      pregunta: { es: 'Pregunta', en: 'Question' },
      mensaje: { es: 'Mensaje', en: 'Message' },
    },
    kindHint: {
      oferta: {
        es: 'Con precio, peso y último día: el cliente puede aceptarla.',
        en: 'With price, weight and last day: the customer can accept it.',
      },
      pregunta: {
        es: 'El cliente la contesta; no hay nada que aceptar.',
        en: 'The customer replies to it; there is nothing to accept.',
      },
      mensaje: { es: 'Sólo se lee.', en: 'It is read, nothing more.' },
    },
    body: { es: 'Respuesta', en: 'Answer' },
    price: { es: 'Precio', en: 'Price' },
    per: { es: 'Por', en: 'Per' },
    kilo: { es: 'kilo', en: 'kilo' },
    total: { es: 'total', en: 'total' },
    currency: { es: 'Moneda', en: 'Currency' },
    kilos: {
      kilo: { es: 'Para kilos al mes', en: 'For kilos a month' },
      total: { es: 'Kilos del embarque', en: 'Kilos of the shipment' },
    },
    noPrice: {
      es: 'Una oferta lleva precio; sin él, elija Pregunta o Mensaje.',
      en: 'An offer has a price; without one, choose Question or Message.',
    },
    badKilos: {
      es: 'Un peso es un número entero de kilos, como 1,200.',
      en: 'A weight is a whole number of kilos, such as 1,200.',
    },
    noDay: { es: 'Diga hasta qué día vale la oferta.', en: 'Say until which day the offer holds.' },
    preview: (name: string): Bilingual => ({ es: `Así lo verá ${name}`, en: `This is what ${name} will see` }),
    look: { es: 'Ver antes', en: 'Look first' },
    readFirst: { es: 'Es la plantilla: léala y guarde otra vez.', en: 'This is the template: read it and save again.' },
    validUntil: { es: 'Válida hasta', en: 'Valid until' },
    send: { es: 'Guardar respuesta', en: 'Save answer' },
    takeAndSend: { es: 'Tomar y responder', en: 'Take and answer' },
    sending: { es: 'Guardando…', en: 'Saving…' },
    held: {
      es: 'Se envía en diez segundos; hasta entonces no ha salido nada.',
      en: 'It is sent in ten seconds; until then nothing has left.',
    },
    takeBack: { es: 'Deshacer', en: 'Undo' },
    sendNow: { es: 'Enviar ya', en: 'Send now' },
    waiting: {
      es: 'Sin conexión. Quedó aquí y se envía sola en cuanto vuelva.',
      en: 'No connection. It is kept here and is sent by itself as soon as that is back.',
    },
    saved: { es: 'Respuesta guardada.', en: 'Answer saved.' },
    empty: { es: 'Escriba la respuesta.', en: 'Write the answer.' },
    badPrice: { es: 'Un precio es un número como 4.10.', en: 'A price is a number such as 4.10.' },
    badDay: { es: 'Una fecha es un día como 28/11/2026.', en: 'A date is a day such as 28/11/2026.' },
    pastDay: { es: 'La fecha ya pasó en Tijuana.', en: 'That day is over in Tijuana.' },
    discard: { es: 'Descartar', en: 'Discard' },
  },
  template: {
    es: 'Gracias por su solicitud, {nombre}. Para {peso} kg al mes ({carga}), tarifa todo incluido de puerta a puerta, con salida en nuestro próximo vuelo de Tijuana a Zhengzhou.',
    en: 'Thank you for your request, {nombre}. For {peso} kg a month ({carga}), an all-in door-to-door rate, on our next flight from Tijuana to Zhengzhou.',
  },
  note: {
    title: { es: 'Nota para colegas', en: 'Note for colleagues' },
    send: { es: 'Guardar nota', en: 'Save note' },
  },

  paste: {
    open: { es: 'Pegar', en: 'Paste' },
    title: { es: 'Pegar un mensaje', en: 'Paste a message' },
    what: {
      es: 'Pegue aquí el mensaje que mandó el exportador, completo, con su código.',
      en: 'Paste the message that the exporter sent here, all of it, with its code.',
    },
    send: { es: 'Registrar', en: 'Put on file' },
    unread: {
      es: 'Falta algo del mensaje, o una palabra cambió: pida que lo manden de nuevo, completo.',
      en: 'Part of the message is missing, or a word was changed: ask for it again, whole.',
    },
    stored: (folio: string): Bilingual => ({ es: `${folio} quedó registrada.`, en: `${folio} is on file now.` }),
    known: (folio: string): Bilingual => ({ es: `${folio} ya estaba aquí.`, en: `${folio} was here already.` }),
    repeated: {
      es: 'Hoy ya llegó una solicitud idéntica, con otro folio: búsquela por el nombre.',
      en: 'An identical request came today, under another reference: search for the name.',
    },
  },

  figures: {
    open: { es: 'Cifras', en: 'Figures' },
    title: { es: 'La promesa en cifras', en: 'The promise in figures' },
    today: { es: 'Hoy', en: 'Today' },
    week: { es: '7 días', en: '7 days' },
    month: { es: '30 días', en: '30 days' },
    kept: (kept: number, asked: number): Bilingual => ({
      es: `${kept} de ${asked} en ${claims.response}`,
      en: `${kept} of ${asked} within ${claims.response}`,
    }),
    median: (time: string): Bilingual => ({ es: `mediana ${time}`, en: `median ${time}` }),
    none: { es: 'todavía nada que contar', en: 'nothing to count yet' },
    byHour: {
      es: 'Por hora de llegada en Tijuana, 30 días: respondidas a tiempo y tarde',
      en: 'By hour of arrival in Tijuana, 30 days: answered in time, and late',
    },
    alerts: (sent: number, shown: number, taken: number): Bilingual => ({
      es: `avisadas ${sent} · mostradas ${shown} · tomadas ${taken}`,
      en: `alerted ${sent} · shown ${shown} · taken ${taken}`,
    }),
    hour: (hour: string, kept: number, asked: number) => `${hour} h: ${kept} de ${asked}`,
    what: {
      es: 'Cuenta lo respondido y lo que ya pasó su plazo. Una respuesta tarde sigue siendo tarde.',
      en: 'It counts what was answered and what is overdue. A late answer stays late.',
    },
    backup: {
      made: (ago: string): Bilingual => ({ es: `Último respaldo: hace ${ago}.`, en: `Last backup: ${ago} ago.` }),
      failing: (ago: string): Bilingual => ({
        es: `EL RESPALDO FALLA: el último es de hace ${ago}. Avise a quien cuida el servidor.`,
        en: `BACKUPS FAIL: the last is from ${ago} ago. Tell whoever looks after the server.`,
      }),
      never: {
        es: 'NO HAY RESPALDO. Avise a quien cuida el servidor.',
        en: 'THERE IS NO BACKUP. Tell whoever looks after the server.',
      },
    },
    sender: {
      late: sentence<[since: Bilingual]>(
        (since) =>
          `El envío de avisos no responde desde ${since.replace(/^01:/, 'la $&').replace(/^\d/, 'las $&')}. Avise a quien cuida el servidor.`,
        (since) =>
          `What sends alerts has not answered since ${since.replace(/^on /, '')}. Tell whoever looks after the server.`,
      ),
      never: {
        es: 'El envío de avisos no ha respondido nunca. Avise a quien cuida el servidor.',
        en: 'What sends alerts has never answered. Tell whoever looks after the server.',
      },
    },
    csv: { es: 'Descargar lo filtrado (CSV)', en: 'Download what is filtered (CSV)' },
  },
  alerts: {
    open: { es: 'Avisos', en: 'Alerts' },
    title: { es: 'Avisos de solicitudes nuevas', en: 'Alerts of new requests' },
    sound: { es: 'Un sonido', en: 'A sound' },
    count: { es: 'La cuenta en el título de la pestaña', en: 'The count in the title of the tab' },
    notification: { es: 'Una notificación, sólo con el folio', en: 'A notification, with the reference alone' },
    push: {
      es: 'Avisarme en este equipo, también con la mesa cerrada: solicitudes nuevas, respuestas de clientes y plazos',
      en: 'Tell me on this device, also with the desk closed: new requests, replies of customers and time running out',
    },
    denied: {
      es: 'Este navegador no las permite aquí.',
      en: 'This browser does not allow them here.',
    },
    installFirst: {
      es: 'En iPhone, agregue antes la mesa a la pantalla de inicio: Compartir → Agregar a inicio.',
      en: 'On an iPhone, add the desk to the home screen first: Share → Add to Home Screen.',
    },
    failed: {
      es: 'No se pudo ahora. Intente de nuevo cuando haya conexión.',
      en: 'It did not work just now. Try again when there is a connection.',
    },
    came: alertWords.nueva,
  },

  keys: {
    open: { es: 'Teclas', en: 'Keys' },
    title: { es: 'Teclas', en: 'Keys' },
    close: { es: 'Cerrar', en: 'Close' },
    single: { es: 'Usar teclas de una letra', en: 'Use single-key shortcuts' },
    list: [
      { key: '↑ ↓', does: { es: 'moverse por la lista', en: 'move along the list' } },
      { key: 'Enter', does: { es: 'abrir la solicitud', en: 'open the request' } },
      { key: 'Esc', does: { es: 'volver a la lista', en: 'back to the list' } },
      { key: '/', does: { es: 'buscar', en: 'search' } },
      { key: '?', does: { es: 'ver estas teclas', en: 'show these keys' } },
      { key: 't', does: { es: 'tomar (con la fila enfocada)', en: 'take (with the row focused)' } },
      { key: 's', does: { es: 'soltar (con la fila enfocada)', en: 'release (with the row focused)' } },
      { key: 'r', does: { es: 'responder (con la fila enfocada)', en: 'answer (with the row focused)' } },
      { key: 'n', does: { es: 'nota (con la fila enfocada)', en: 'note (with the row focused)' } },
    ],
  },
} as const;
