import type { Bilingual } from './bilingual.ts';

export const deskSession = {
  title: { es: 'Mesa de ventas', en: 'Sales desk' },
  signIn: {
    title: { es: 'Iniciar sesión', en: 'Sign in' },
    email: { es: 'Correo', en: 'E-mail' },
    password: { es: 'Contraseña', en: 'Password' },
    send: { es: 'Entrar', en: 'Sign in' },
    idle: {
      es: 'La sesión se cerró tras diez minutos sin uso. Su texto sigue aquí, sólo para usted.',
      en: 'The session was locked after ten minutes without use. Your text is still here, for you alone.',
    },
    counted: (open: number, late: number): Bilingual => ({
      es: `${open} ${open === 1 ? 'solicitud abierta' : 'solicitudes abiertas'}${late > 0 ? `, ${late} ${late === 1 ? 'vencida' : 'vencidas'}` : ''}`,
      en: `${open} open ${open === 1 ? 'request' : 'requests'}${late > 0 ? `, ${late} overdue` : ''}`,
    }),
    lost: {
      es: 'La sesión terminó. Inicie sesión de nuevo: su texto sigue aquí.',
      en: 'The session has ended. Sign in again: your text is still here.',
    },
    notStaff: {
      es: 'Esta cuenta no tiene acceso a la mesa de ventas.',
      en: 'This account has no desk access.',
    },
    wrong: { es: 'El correo o la contraseña no coinciden.', en: 'The e-mail or the password is wrong.' },
    throttled: {
      es: 'Demasiados intentos. Espere un cuarto de hora.',
      en: 'Too many tries. Wait a quarter of an hour.',
    },
    savedHere: {
      es: 'Hay una respuesta sin enviar: se enviará cuando inicie sesión quien la escribió. Si entra otra persona, se pierde.',
      en: 'An answer has not been sent: it sends when its author signs in. If somebody else does, it is lost.',
    },
    forgotten: {
      es: '¿Olvidó su contraseña? Pida una nueva a su administrador.',
      en: 'Forgot your password? Ask your administrator for a new one.',
    },
  },
  newPassword: {
    title: { es: 'Elija su contraseña', en: 'Choose your password' },
    why: {
      es: 'La contraseña temporal sirve sólo para entrar la primera vez.',
      en: 'The temporary password is for the first time only.',
    },
    current: { es: 'Contraseña temporal', en: 'Temporary password' },
    next: { es: 'Contraseña nueva (12 caracteres o más)', en: 'New password (12 characters or more)' },
    repeat: { es: 'Repita la contraseña nueva', en: 'Repeat the new password' },
    send: { es: 'Guardar y entrar', en: 'Save and sign in' },
    differs: { es: 'Las contraseñas nuevas no coinciden.', en: 'The new passwords do not match.' },
    weak: {
      es: 'Debe tener de 12 a 200 caracteres y no ser fácil de adivinar.',
      en: 'It needs 12 to 200 characters and must not be easy to guess.',
    },
    unchanged: { es: 'Elija una distinta de la temporal.', en: 'Choose one that differs from the temporary one.' },
    wrongCurrent: { es: 'La contraseña temporal no coincide.', en: 'The temporary password does not match.' },
  },
  security: { es: 'Seguridad', en: 'Security' },
  notLoaded: {
    es: 'Esta parte no se pudo cargar. Recargue la página: su sesión sigue abierta.',
    en: 'This part could not be loaded. Reload the page: you stay signed in.',
  },
  reload: { es: 'Recargar', en: 'Reload' },
  leave: {
    open: { es: 'Cerrar turno', en: 'End shift' },
    count: (count: number): Bilingual =>
      count === 1
        ? { es: 'Tiene una solicitud abierta.', en: 'You have one open request.' }
        : { es: `Tiene ${count} solicitudes abiertas.`, en: `You have ${count} open requests.` },
    accepted: (names: readonly string[]): Bilingual => ({
      es: `Por reservar: ${names.join(', ')}.`,
      en: `To be booked: ${names.join(', ')}.`,
    }),
    saved: {
      es: 'Hay una respuesta sin enviar: se enviará antes de cerrar el turno.',
      en: 'An answer has not been sent: it sends before the shift ends.',
    },
    choice: { es: 'Mis solicitudes', en: 'My requests' },
    keep: { es: 'Conservarlas a mi nombre', en: 'Keep them in my name' },
    heir: { es: 'Reasignarlas a un colega', en: 'Reassign them to a colleague' },
    list: { es: 'Dejarlas en la lista, sin asignar', en: 'Leave them in the list, unassigned' },
    to: { es: 'Colega', en: 'Colleague' },
    countdown: (seconds: number): Bilingual => ({
      es: `El turno se cierra en ${seconds} s`,
      en: `The shift ends in ${seconds} s`,
    }),
    unsent: (folios: string): Bilingual => ({
      es: `La respuesta a ${folios} no se ha enviado. Espere a que se envíe o descártela, e intente de nuevo.`,
      en: `The answer to ${folios} has not been sent. Wait until it has, or discard it, and try again.`,
    }),
  },
} as const;
