import { newLead } from './alerts.ts';
import type { Bilingual } from './bilingual.ts';

/** Texts about colleagues and about the ways in which alerts reach them. */
export const deskTeam = {
  colleague: { es: 'colega', en: 'a colleague' },
  away: { es: 'Esa persona ya no está. Elija a otra.', en: 'That colleague has left. Choose another.' },
  reach: {
    by: {
      desk: { es: 'en la mesa', en: 'at the desk' },
      devices: (count: number): Bilingual =>
        count === 1
          ? { es: 'con avisos en un dispositivo', en: 'with alerts on one device' }
          : { es: `con avisos en ${count} dispositivos`, en: `with alerts on ${count} devices` },
      and: { es: ' y ', en: ' and ' },
      nothing: { es: 'sin avisos', en: 'without alerts' },
    },
    online: (es: string, en: string): Bilingual => ({ es: `En línea: ${es}`, en: `Online: ${en}` }),
    nobody: { es: 'Nadie en línea', en: 'Nobody is online' },
    unreached: { es: 'Nadie recibe avisos con la mesa cerrada.', en: 'Nobody is alerted while the desk is closed.' },
    turnOn: { es: 'Activar en este dispositivo', en: 'Turn on here' },
    putAside: { es: 'Ahora no', en: 'Not now' },
  },
  alerts: {
    open: { es: 'Avisos', en: 'Alerts' },
    title: { es: 'Avisos de solicitudes nuevas', en: 'Alerts of new requests' },
    sound: { es: 'Sonido', en: 'Sound' },
    count: { es: 'Pendientes en la pestaña', en: 'Open requests in the tab title' },
    notification: {
      es: 'Notificación con la mesa abierta (sólo el folio)',
      en: 'Notification while open (folio only)',
    },
    push: {
      es: 'Avisos en este dispositivo, también con la mesa cerrada: solicitudes nuevas, respuestas y plazos',
      en: 'Alerts on this device, also with the desk closed: new requests, replies and deadlines',
    },
    denied: {
      es: 'Los avisos están bloqueados en los ajustes del navegador.',
      en: 'Alerts are blocked in the browser settings.',
    },
    installFirst: {
      es: 'En iPhone, agregue primero la mesa a la pantalla de inicio: Compartir → Agregar a inicio.',
      en: 'On an iPhone, add the desk to the home screen first: Share → Add to Home Screen.',
    },
    failed: { es: 'No se pudo. Intente de nuevo cuando haya conexión.', en: 'It failed. Try again when connected.' },
    test: { es: 'Enviar prueba', en: 'Send a test' },
    tested: { es: 'Prueba de avisos', en: 'Test of alerts' },
    onlySound: {
      es: 'Sonó, pero las notificaciones aún no están permitidas en este dispositivo.',
      en: 'It rang, but notifications are not allowed on this device yet.',
    },
    came: newLead,
  },
} as const;
