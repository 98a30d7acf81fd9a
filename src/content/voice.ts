import type { Bilingual } from './bilingual.ts';

export const voice = {
  label: { es: 'Asistente de voz', en: 'Voice assistant' },
  button: {
    idle: { es: 'Hable con nuestra IA', en: 'Talk to our AI' },
    offline: { es: 'Hable con nuestra IA: necesita conexión', en: 'Talk to our AI: it needs a connection' },
    initializing: { es: 'Conectando…', en: 'Connecting…' },
    active: { es: 'Terminar la llamada', en: 'End the call' },
  },
  hint: {
    title: { es: '¿Necesita soporte?', en: 'Need support?' },
    text: { es: 'Nuestro agente de IA le asistirá', en: 'Our AI agent will help you' },
  },
  teaser: {
    title: { es: 'Preguntas?', en: 'Questions?' },
    text: { es: 'Hable con nuestra IA', en: 'Talk to our AI' },
  },
  status: {
    initializing: { es: 'Conectando…', en: 'Connecting…' },
    connected: { es: 'IA Activa', en: 'AI active' },
    speaking: { es: 'IA hablando...', en: 'AI speaking…' },
    listening: { es: 'Escuchando...', en: 'Listening…' },
    interrupted: { es: 'Conexión interrumpida…', en: 'Connection interrupted…' },
    ended: { es: 'Llamada terminada', en: 'Call ended' },
  },
  stop: { es: 'Terminar', en: 'End' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  mute: { es: 'Silenciar micrófono', en: 'Mute microphone' },
  transcript: {
    title: { es: 'Transcripción', en: 'Transcript' },
    who: { assistant: { es: 'IA', en: 'AI' }, visitor: { es: 'Usted', en: 'You' } },
  },
  consent: {
    title: { es: 'Antes de llamar', en: 'Before you call' },
    text: {
      es: 'Hablará con una inteligencia artificial, no con una persona. La llamada se graba y se transcribe; la procesa Vapi a nombre nuestro.',
      en: 'You will talk to an artificial intelligence, not a person. The call is recorded and transcribed; Vapi processes it for us.',
    },
    privacy: { es: 'Aviso de privacidad', en: 'Privacy notice' },
    accept: { es: 'Aceptar y llamar', en: 'Accept and call' },
    refuse: { es: 'Ahora no', en: 'Not now' },
  },
  offline: {
    title: { es: 'La llamada con la IA necesita conexión', en: 'A call with the AI needs a connection' },
    text: {
      es: 'Sin señal de datos puede llamarnos por teléfono o pedir que le llamemos: su solicitud se guarda y se envía automáticamente.',
      en: 'Without mobile data you can phone us or ask us to call you: your request is saved and sends automatically.',
    },
  },
  otherwise: {
    es: 'Llame, escriba, o pida que le llamemos.',
    en: 'Phone, write, or ask us to call you.',
  },
  microphone: {
    ios: {
      es: 'En iPhone o iPad: abra Ajustes › Apps › Safari › Micrófono, elija Permitir y vuelva a intentarlo.',
      en: 'On iPhone or iPad: open Settings › Apps › Safari › Microphone, choose Allow and try again.',
    },
    android: {
      es: 'En Android: toque el icono junto a la dirección › Permisos › Micrófono › Permitir, y vuelva a intentarlo. En la app instalada: mantenga pulsado su icono › Información › Permisos.',
      en: 'On Android: tap the icon beside the address › Permissions › Microphone › Allow, and try again. In the installed app: press and hold its icon › App info › Permissions.',
    },
    computer: {
      es: 'Haga clic en el icono junto a la dirección › Micrófono › Permitir, revise que haya uno conectado y vuelva a intentarlo.',
      en: 'Click the icon beside the address › Microphone › Allow, check that one is connected and try again.',
    },
  },
  phone: (number: string): Bilingual => ({ es: `Llamar al ${number.replaceAll(' ', '\u00a0')}`, en: 'Phone us' }),
  whatsapp: { es: 'WhatsApp', en: 'WhatsApp' },
  callBack: { es: 'Pedir que me llamen', en: 'Ask for a call' },
  close: { es: 'Cerrar', en: 'Close' },
} as const;
