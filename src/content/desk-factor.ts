import type { Bilingual } from './bilingual.ts';

/** Texts about the second step of a sign-in. Only the desks of colleagues with a second step load this file. */
export const deskFactor = {
  confirm: {
    title: { es: 'Confirme que es usted', en: 'Confirm that it is you' },
    app: {
      es: 'Escriba el código que muestra ahora su app de autenticación.',
      en: 'Type the code that your authenticator app shows now.',
    },
    passkey: {
      es: 'Su navegador le pedirá la huella, el rostro, el PIN o su llave física.',
      en: 'Your browser will ask for your fingerprint, face, PIN or security key.',
    },
    recovery: {
      es: 'Escriba uno de los códigos que guardó. Cada uno sirve una sola vez.',
      en: 'Type one of the codes that you saved. Each works only once.',
    },
    send: { es: 'Entrar', en: 'Sign in' },
    ways: {
      app: { es: 'Usar la app de autenticación', en: 'Use the authenticator app' },
      passkey: { es: 'Usar la llave de acceso', en: 'Use the passkey' },
      recovery: { es: 'Usar un código de recuperación', en: 'Use a recovery code' },
    },
    other: { es: 'Entrar con otra cuenta', en: 'Sign in with another account' },
    lost: {
      es: '¿Perdió su teléfono y sus códigos? Su administrador puede quitar el segundo paso.',
      en: 'Lost your phone and your codes? Your administrator can remove the second step.',
    },
  },
  enrol: {
    title: { es: 'Proteja su cuenta', en: 'Protect your account' },
    why: {
      es: 'Un supervisor ve y descarga los datos de todos los clientes; por eso entra con un segundo paso, además de su contraseña.',
      en: 'A supervisor sees and downloads the data of all customers, and therefore signs in with a second step, beside the password.',
    },
    scan: {
      es: 'Escanee esta imagen con una app de autenticación (la de Google, la de Microsoft u otra) y escriba el código que muestra.',
      en: 'Scan this picture with an authenticator app (Google’s, Microsoft’s or another) and type the code that it shows.',
    },
    picture: { es: 'Código QR para la app de autenticación', en: 'QR code for the authenticator app' },
    openApp: { es: 'Abrir en la app de este teléfono', en: 'Open in the app on this phone' },
    key: { es: 'O escriba esta clave en la app:', en: 'Or type this key into the app:' },
    send: { es: 'Confirmar', en: 'Confirm' },
    byPasskey: { es: 'Mejor con una llave de acceso', en: 'Use a passkey instead' },
    byApp: { es: 'Mejor con una app de autenticación', en: 'Use an authenticator app instead' },
    create: { es: 'Crear la llave de acceso', en: 'Create the passkey' },
    preparing: { es: 'Preparando…', en: 'Preparing…' },
  },
  code: { es: 'Código de 6 dígitos', en: 'Code of 6 digits' },
  recoveryCode: { es: 'Código de recuperación', en: 'Recovery code' },
  codes: {
    title: { es: 'Guarde sus códigos de recuperación', en: 'Save your recovery codes' },
    why: {
      es: 'Sirven para entrar si pierde su teléfono, cada uno una sola vez. No se mostrarán de nuevo: guárdelos fuera de este dispositivo.',
      en: 'They let you in if you lose your phone, each only once. They will not be shown again: save them outside this device.',
    },
    copy: { es: 'Copiar', en: 'Copy' },
    copied: { es: 'Códigos copiados.', en: 'Codes copied.' },
    download: { es: 'Descargar', en: 'Download' },
    saved: { es: 'Ya los guardé', en: 'I have saved them' },
  },
  security: {
    title: { es: 'Seguridad de mi cuenta', en: 'Security of my account' },
    none: {
      es: 'Hoy entra sólo con su contraseña. Con un segundo paso, nadie más puede entrar aunque la conozca.',
      en: 'You sign in with your password alone today. With a second step nobody else can, even if they know it.',
    },
    asked: {
      es: 'Al entrar se le pide su contraseña y uno de estos pasos.',
      en: 'At sign-in you are asked for your password and one of these steps.',
    },
    app: { es: 'App de autenticación', en: 'Authenticator app' },
    passkey: { es: 'Llave de acceso', en: 'Passkey' },
    addApp: { es: 'Agregar una app de autenticación', en: 'Add an authenticator app' },
    addPasskey: { es: 'Agregar una llave de acceso', en: 'Add a passkey' },
    remove: { es: 'Quitar', en: 'Remove' },
    removing: {
      es: '¿Quitar este paso? Quien lo tenga ya no podrá usarlo para entrar.',
      en: 'Remove this step? Whoever has it can no longer sign in with it.',
    },
    removingLast: {
      es: '¿Quitar el único paso? Sus códigos de recuperación también dejan de servir.',
      en: 'Remove the only step? Your recovery codes stop working too.',
    },
    remaining: (count: number): Bilingual => ({
      es: count === 1 ? 'Le queda 1 código de recuperación.' : `Le quedan ${count} códigos de recuperación.`,
      en: count === 1 ? 'You have 1 recovery code left.' : `You have ${count} recovery codes left.`,
    }),
    newCodes: { es: 'Crear diez códigos nuevos', en: 'Create ten new codes' },
    newCodesWarning: {
      es: 'Los códigos anteriores dejan de servir.',
      en: 'The earlier codes stop working.',
    },
  },
  failures: {
    wrong: {
      es: 'El código no es correcto o ya se usó. Espere el siguiente.',
      en: 'The code is wrong or was used already. Wait for the next one.',
    },
    wrongRecovery: { es: 'El código no es correcto o ya se usó.', en: 'The code is wrong or was used already.' },
    passkey: {
      es: 'La llave de acceso no respondió. Intente de nuevo o use otra forma.',
      en: 'The passkey did not answer. Try again or use another way.',
    },
    late: { es: 'Pasó demasiado tiempo. Intente de nuevo.', en: 'It took too long. Try again.' },
  },
} as const;
