export const weightHelper = {
  fields: {
    count: { es: 'Piezas', en: 'Pieces' },
    length: { es: 'Largo (cm)', en: 'Length (cm)' },
    width: { es: 'Ancho (cm)', en: 'Width (cm)' },
    height: { es: 'Alto (cm)', en: 'Height (cm)' },
    gross: { es: 'Peso bruto total (kg)', en: 'Total gross weight (kg)' },
    shipments: { es: 'Embarques al mes', en: 'Shipments a month' },
  },
  result: (kilos: string, aMonth: string) => ({
    es: `Un embarque: se cobran ${kilos} kg · al mes: ${aMonth} kg`,
    en: `One shipment: ${kilos} kg are charged · a month: ${aMonth} kg`,
  }),
  note: (cubic: string) => ({
    es: `El mayor entre peso bruto y volumen ÷ ${cubic}. Las paqueterías dividen entre 5,000; nosotros, entre ${cubic}.`,
    en: `The greater of gross weight and volume ÷ ${cubic}. Couriers divide by 5,000; we divide by ${cubic}.`,
  }),
  use: { es: 'Usar este peso', en: 'Use as weight' },
} as const;
