export const controls = {
  close: { es: 'Cerrar', en: 'Close' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  more: { es: 'Más', en: 'More' },
} as const;
