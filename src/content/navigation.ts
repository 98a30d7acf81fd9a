export const navigation = {
  skip: 'Saltar al contenido',
  label: 'Secciones',
  items: [
    { icon: 'home', url: '#hero', name: { es: 'Inicio', en: 'Home' } },
    { icon: 'services', url: '#servicios', name: { es: 'Servicios', en: 'Services' } },
    { icon: 'process', url: '#como-funciona', name: { es: 'Proceso', en: 'Process' } },
    { icon: 'network', url: '#red-logistica', name: { es: 'Red', en: 'Network' } },
    { icon: 'quotes', url: '#testimonios', name: { es: 'Testimonios', en: 'Reviews' } },
  ],
  quote: { es: 'Cotizar Ahora', en: 'Request a quote' },
} as const;
