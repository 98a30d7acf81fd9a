/** The receipt's offer to alert when an answer arrives. */
export const answerAlerts = {
  offer: { es: 'Avisarme cuando respondan', en: 'Tell me when they answer' },
  on: {
    es: 'Este teléfono le avisará cuando respondan, también con la página cerrada.',
    en: 'This phone will tell you when they answer, also with the page closed.',
  },
  off: { es: 'Ya no avisarme', en: 'Do not tell me any more' },
  denied: {
    es: 'Este navegador no permite avisos de esta página. Se permiten en sus ajustes.',
    en: 'This browser allows no alerts of this page. Its settings can allow them.',
  },
  failed: {
    es: 'No se pudo ahora. Intente de nuevo cuando haya señal.',
    en: 'It did not work just now. Try again when there is signal.',
  },
  installFirst: {
    es: 'En iPhone, los avisos llegan a la página instalada: Compartir → Agregar a inicio.',
    en: 'On an iPhone, alerts come to the installed page: Share → Add to Home Screen.',
  },
} as const;
