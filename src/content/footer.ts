export const footer = {
  services: {
    title: { es: 'Servicios', en: 'Services' },
    items: [
      { es: 'Carga aérea directa', en: 'Direct air cargo' },
      { es: 'Cadena de frío', en: 'Cold chain' },
      { es: 'Despacho aduanal', en: 'Customs clearance' },
      { es: 'Distribución terrestre', en: 'Ground distribution' },
    ],
  },
  routes: {
    title: { es: 'Rutas vía Zhengzhou', en: 'Routes via Zhengzhou' },
    items: ['Tijuana → Guangzhou', 'México → Shanghai', 'México → Beijing', 'México → Shenzhen'],
  },
  contact: { title: { es: 'Contacto', en: 'Contact' }, whatsapp: 'WhatsApp' },
  quotes: { es: 'Mis cotizaciones', en: 'My quotes' },
  privacy: { es: 'Privacidad', en: 'Privacy' },
  terms: { es: 'Términos', en: 'Terms' },
  copyright: '© 2025',
} as const;
