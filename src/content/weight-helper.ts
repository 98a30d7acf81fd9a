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
    es: `Peso cobrable: ${kilos} kg por embarque · ${aMonth} kg al mes`,
    en: `Chargeable weight: ${kilos} kg a shipment · ${aMonth} kg a month`,
  }),
  note: (cubic: string) => ({
    es: `Se cobra el mayor: el peso bruto o el volumen (cm³) entre ${cubic}. Las paqueterías dividen entre 5,000.`,
    en: `The greater is charged: gross weight, or volume (cm³) divided by ${cubic}. Couriers divide by 5,000.`,
  }),
  use: { es: 'Usar este peso', en: 'Use this weight' },
} as const;
