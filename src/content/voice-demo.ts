export const voiceDemo = {
  title: 'Icono de voz',
  subtitle: {
    es: 'Cada aspecto del botón con que se habla con la IA. Presiónelo para pasar al siguiente estado.',
    en: 'Each look of the button that starts a call with the AI. Press it for its next state.',
  },
  back: { es: 'Volver al sitio', en: 'Back to the site' },
  preview: { es: 'Vista previa', en: 'Preview' },
  pickers: {
    state: {
      title: { es: 'Estado', en: 'State' },
      names: {
        idle: { es: 'En reposo', en: 'Idle' },
        listening: { es: 'Escucha', en: 'Listening' },
        speaking: { es: 'Habla', en: 'Speaking' },
        active: { es: 'Activo', en: 'Active' },
      },
    },
    size: {
      title: { es: 'Tamaño', en: 'Size' },
      names: {
        small: { es: 'Chico, 32\u00a0px', en: 'Small' },
        medium: { es: 'Mediano, 44\u00a0px', en: 'Medium' },
        large: { es: 'Grande, 56\u00a0px', en: 'Large' },
      },
    },
    position: {
      title: { es: 'Posición', en: 'Position' },
      names: {
        'top-left': { es: 'Arriba a la izquierda', en: 'Top left' },
        'top-right': { es: 'Arriba a la derecha', en: 'Top right' },
        'bottom-left': { es: 'Abajo a la izquierda', en: 'Bottom left' },
        'bottom-right': { es: 'Abajo a la derecha', en: 'Bottom right' },
      },
    },
  },
  hint: { es: 'Mostrar la pista', en: 'Show the hint' },
  scaleTest: {
    title: { es: 'Prueba de escala', en: 'Scale test' },
    note: {
      es: 'Cada uno a su tamaño real; el área que se toca nunca mide menos de 44\u00a0px.',
      en: 'Each at its true size; the area that is pressed is never under 44\u00a0px.',
    },
  },
} as const;
