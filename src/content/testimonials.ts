import { claims } from './claims.ts';

interface Testimonial {
  readonly quote: string;
  readonly quoteEn: string;
  readonly author: string;
  readonly role: string;
  /** Number of stars, from 1 to 5. */
  readonly rating: number;
}

export const testimonials = {
  title: {
    es: `${claims.exporters} exportadores ya vuelan con nosotros`,
    en: `${claims.exporters} exporters already fly with us`,
  },
  rating: (stars: number) => `${stars} de 5 estrellas`,
} as const;

/** SAMPLE TEXTS that no customer said. A published site must set its own (VITE_TESTIMONIALS). */
export const sampleTestimonials: readonly Testimonial[] = [
  {
    quote: 'La frambuesa sale el martes y el jueves está en anaquel. Antes ni la cotizábamos.',
    quoteEn: 'Raspberries leave on Tuesday and are on the shelf on Thursday. We never even quoted them before.',
    author: 'Mariana Robles',
    role: 'Exportación, berries · Baja California',
    rating: 5,
  },
  {
    quote: 'Langosta viva con apenas 2 o 3% de mortalidad. El cliente dejó de pedir descuento.',
    quoteEn: 'Live lobster with losses of just 2 or 3%. The customer stopped asking for a discount.',
    author: 'Óscar Beltrán',
    role: 'Gerente, pesquera · Ensenada',
    rating: 5,
  },
  {
    quote: 'Una tarifa y una factura. Mi contadora lo agradece más que yo.',
    quoteEn: 'One rate and one invoice. My accountant is even happier than I am.',
    author: 'Lucía Armenta',
    role: 'Directora, vinícola · Valle de Guadalupe',
    rating: 5,
  },
  {
    quote: 'Encontraron un error en el certificado de origen antes de volar. Nos ahorró una semana en aduana.',
    quoteEn: 'They found an error in the certificate of origin before the flight. It saved us a week at customs.',
    author: 'Jorge Haro',
    role: 'Comercio exterior, tequila · Jalisco',
    rating: 5,
  },
  {
    quote: 'Mandamos dos tarimas, no un contenedor. El LTL desde Zhengzhou hace posible el lote pequeño.',
    quoteEn: 'We ship two pallets, not a container. LTL from Zhengzhou makes a small batch possible.',
    author: 'Itzel Cruz',
    role: 'Socia, mezcal · Oaxaca',
    rating: 5,
  },
  {
    quote: 'La gráfica de temperatura llega con la carga. Calidad libera el mismo día.',
    quoteEn: 'The temperature log arrives with the cargo. Quality releases it the same day.',
    author: 'Daniel Quiroz',
    role: 'Logística, dispositivos médicos · Tijuana',
    rating: 5,
  },
  {
    quote: 'Teníamos la línea por parar. La pieza voló esa noche y no hubo multa.',
    quoteEn: 'The line was about to stop. The part flew that night and there was no fine.',
    author: 'Rebeca Solís',
    role: 'Cadena de suministro, autopartes · Guanajuato',
    rating: 5,
  },
  {
    quote: 'Pedí precio desde el muelle a las siete. A las nueve ya tenía la cotización.',
    quoteEn: 'I asked for a price from the pier at seven. By nine I had the quote.',
    author: 'Raúl Camacho',
    role: 'Ventas, mariscos · Sinaloa',
    rating: 5,
  },
  {
    quote: 'Llamé de madrugada por un cambio de consignatario y me contestó una persona que sabía.',
    quoteEn: 'I called before dawn about a change of consignee and someone who knew picked up.',
    author: 'Fernanda Ochoa',
    role: 'Operaciones, carga general · Ciudad de México',
    rating: 5,
  },
];
