export const answerAlerts = {
  offer: { es: 'Avisarme cuando haya respuesta', en: 'Alert me when there is an answer' },
  on: {
    es: 'Este teléfono le avisará cuando haya respuesta, aunque cierre la página.',
    en: 'This phone alerts you when there is an answer, even with the page closed.',
  },
  off: { es: 'Desactivar avisos', en: 'Turn alerts off' },
  denied: {
    es: 'Los avisos de esta página están bloqueados; actívelos en los ajustes del navegador.',
    en: 'Alerts from this page are blocked; turn them on in the browser settings.',
  },
  failed: {
    es: 'No se pudo. Intente de nuevo cuando haya señal.',
    en: 'It did not work. Try again when there is signal.',
  },
  installFirst: {
    es: 'En iPhone, los avisos llegan sólo a la app instalada: Compartir → Agregar a inicio.',
    en: 'On an iPhone, alerts come only to the installed app: Share → Add to Home Screen.',
  },
} as const;
