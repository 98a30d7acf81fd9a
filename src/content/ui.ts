/** Words of the controls that every part of the page shares. */
export const ui = {
  close: { es: 'Cerrar', en: 'Close' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  more: { es: 'Más', en: 'More' },
} as const;
