export const voiceDemo = {
  title: 'Icono de voz',
} as const;
