import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Text that the desk shows for a received message without text. */
export const whatsAppNotices = {
  image: { es: '[Foto]', en: '[Photo]' },
  document: { es: '[Documento]', en: '[Document]' },
  audio: { es: '[Mensaje de voz: escúchelo en WhatsApp]', en: '[Voice message: listen to it in WhatsApp]' },
  video: { es: '[Video: véalo en WhatsApp]', en: '[Video: watch it in WhatsApp]' },
  sticker: { es: '[Calcomanía]', en: '[Sticker]' },
  location: sentence<[place: string]>(
    (place) => `[Ubicación] ${place}`,
    (place) => `[Location] ${place}`,
  ),
  contacts: sentence<[names: string]>(
    (names) => `[Contacto] ${names}`,
    (names) => `[Contact] ${names}`,
  ),
  reaction: sentence<[emoji: string]>(
    (emoji) => `[Reaccionó con ${emoji}]`,
    (emoji) => `[Reacted with ${emoji}]`,
  ),
  unknown: {
    es: '[Mensaje de un tipo que aquí no se puede mostrar]',
    en: '[Message of a type that cannot be shown here]',
  },
} as const satisfies Readonly<Record<string, Bilingual | ((text: string) => Bilingual)>>;
