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
  note: {
    es: 'El mayor entre peso bruto y volumen ÷ 6,000. Las paqueterías dividen entre 5,000; la carga aérea, entre 6,000.',
    en: 'The greater of gross weight and volume ÷ 6,000. Couriers divide by 5,000; air cargo by 6,000.',
  },
  use: { es: 'Usar como peso', en: 'Use as weight' },
} as const;
