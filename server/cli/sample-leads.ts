import type { Step } from '../../src/lead/shipment.ts';

/** Sample accounts. Names and companies are invented; addresses in `.example` and numbers 555 01xx do not exist. */
export const SAMPLE_STAFF = {
  ana: { email: 'ana@aeropuente.example', name: 'Ana Ruiz' },
  beto: { email: 'beto@aeropuente.example', name: 'Beto Sánchez' },
} as const;

export type Colleague = keyof typeof SAMPLE_STAFF;

export interface Sample {
  readonly who: string;
  readonly company: string;
  readonly kilos: number;
  readonly cargo: 'perecederos' | 'general' | 'especial';
  readonly asked: number;
  readonly wantsCall?: true;
  readonly wantsPromotions?: true;
  readonly taken?: readonly [ago: number, by: Colleague];
  readonly answered?: readonly [ago: number, dollarsForKilo: number];
  readonly seen?: number;
  readonly question?: readonly [ago: number, text: string];
  readonly accepted?: number;
  readonly closed?: readonly [ago: number, as: 'ganada' | 'perdida'];
  /** Departure of a booked shipment, in minutes before now. */
  readonly departs?: number;
  readonly steps?: readonly (readonly [ago: number, step: Step])[];
  readonly note?: string;
  readonly corrects?: number;
}

const DAY = 24 * 60;
const [BERRIES, FISH, DRINKS, DEVICES] = ['perecederos', 'perecederos', 'general', 'especial'] as const;

/**
 * Sample leads, one in each line. An unanswered lead counts as due soon 90 minutes after it arrived, and as late after
 * 120 minutes.
 */
// oxfmt-ignore
export const SAMPLES: readonly Sample[] = [
  { who: 'Lucía Armenta', company: 'Moras de la Sierra', kilos: 12_000, cargo: BERRIES, asked: 3 },
  { who: 'Rogelio Cota', company: 'Abulón del Pacífico', kilos: 850, cargo: FISH, asked: 8, wantsCall: true },
  { who: 'Itzel Barragán', company: 'Destilería Tres Lomas', kilos: 6400, cargo: DRINKS, asked: 17 },
  { who: 'Héctor Quiroz', company: 'Catéteres Baja', kilos: 420, cargo: DEVICES, asked: 29, wantsPromotions: true },
  { who: 'Marisol Peña', company: 'Frambuesas Jaltepec', kilos: 9000, cargo: BERRIES, asked: 44 },
  { who: 'Tomás Ledezma', company: 'Langosta Punta Prieta', kilos: 1500, cargo: FISH, asked: 58 },
  { who: 'Grecia Villaseñor', company: 'Arándanos El Fresno', kilos: 18_500, cargo: BERRIES, asked: 79 },
  { who: 'Óscar Ibarra', company: 'Tequila Cerro Azul', kilos: 11_000, cargo: DRINKS, asked: 92 },
  { who: 'Paulina Montaño', company: 'Óptica Médica Otay', kilos: 300, cargo: DEVICES, asked: 103, wantsCall: true },
  { who: 'Ramiro Geraldo', company: 'Pepino de Mar del Golfo', kilos: 700, cargo: FISH, asked: 114 },
  { who: 'Fernanda Olachea', company: 'Fresas San Quintín Norte', kilos: 14_000, cargo: BERRIES, asked: 127 },
  { who: 'Saúl Manríquez', company: 'Mezcal Piedra Honda', kilos: 2300, cargo: DRINKS, asked: 171 },
  { who: 'Yolanda Cervantes', company: 'Válvulas Cardíacas Tecate', kilos: 180, cargo: DEVICES, asked: 318, wantsCall: true },
  { who: 'Daniel Murillo', company: 'Zarzamora Los Reyes Altos', kilos: 8200, cargo: BERRIES, asked: 24, taken: [19, 'ana'] },
  { who: 'Carmen Espriú', company: 'Atún Isla Cedro', kilos: 5000, cargo: FISH, asked: 36, taken: [30, 'beto'] },
  { who: 'Nayeli Castro', company: 'Camarón Bahía Honda', kilos: 3600, cargo: FISH, asked: 66, taken: [51, 'ana'], wantsCall: true },
  { who: 'Bruno Zepeda', company: 'Raicilla Costa Brava', kilos: 1900, cargo: DRINKS, asked: 95, taken: [70, 'ana'], note: 'Prefiere que le llamen después de las cinco.' },
  { who: 'Elisa Tovar', company: 'Prótesis La Mesa', kilos: 640, cargo: DEVICES, asked: 109, taken: [88, 'beto'] },
  { who: 'Joaquín Robledo', company: 'Mora Azul de Uruapan', kilos: 22_000, cargo: BERRIES, asked: 142, taken: [40, 'beto'], note: 'Pregunté a Zhengzhou por la cámara de frío.' },
  // Answered, with a reply of the customer.
  { who: 'Mauricio Lara', company: 'Arándano Tapalpa', kilos: 7500, cargo: BERRIES, asked: DAY + 40, taken: [DAY + 31, 'ana'], answered: [DAY + 12, 4.1], seen: DAY, question: [21, '¿Recogen también los sábados en Tapalpa?'] },
  { who: 'Renata Solís', company: 'Erizo Ensenada Sur', kilos: 950, cargo: FISH, asked: 400, taken: [390, 'beto'], answered: [331, 6.8], seen: 320, accepted: 98 },
  { who: 'Aurelio Nava', company: 'Agave Tierra Roja', kilos: 16_000, cargo: DRINKS, asked: 3 * DAY, taken: [3 * DAY - 15, 'ana'], answered: [3 * DAY - 62, 3.2], seen: 2 * DAY, question: [133, '¿Y si fueran dos embarques al mes en vez de uno?'] },
  { who: 'Alma Rentería', company: 'Arándanos Monte Claro', kilos: 6800, cargo: BERRIES, asked: 186, taken: [181, 'ana'], answered: [140, 4.15], seen: 118, accepted: 12, wantsCall: true },
  // Answered, without a reply.
  { who: 'Ximena Arce', company: 'Bisturís Frontera', kilos: 260, cargo: DEVICES, asked: 96, taken: [90, 'ana'], answered: [52, 7.4] },
  { who: 'Gonzalo Meza', company: 'Fresa Valle Redondo', kilos: 13_000, cargo: BERRIES, asked: 205, taken: [200, 'beto'], answered: [161, 3.95], seen: 150 },
  { who: 'Brenda Falcón', company: 'Ostión San Ignacio', kilos: 1100, cargo: FISH, asked: 330, taken: [300, 'ana'], answered: [174, 6.1], seen: 172, note: 'Se tardó el proveedor de hielo.' },
  { who: 'Íñigo Salas', company: 'Sotol Médanos', kilos: 4800, cargo: DRINKS, asked: DAY + 190, taken: [DAY + 180, 'beto'], answered: [DAY + 95, 3.35], seen: DAY },
  { who: 'Pilar Undurraga', company: 'Endoprótesis Cuesta Blanca', kilos: 150, cargo: DEVICES, asked: 2 * DAY, taken: [2 * DAY - 8, 'ana'], answered: [2 * DAY - 33, 8.9], seen: DAY + 600, wantsPromotions: true },
  { who: 'Omar Villegas', company: 'Frambuesa Zamora Alta', kilos: 10_500, cargo: BERRIES, asked: 5 * DAY, taken: [5 * DAY - 20, 'beto'], answered: [5 * DAY - 104, 4.25] },
  { who: 'Regina Lomelí', company: 'Mora de Atemajac', kilos: 9900, cargo: BERRIES, asked: 4 * DAY, taken: [4 * DAY - 5, 'ana'], answered: [4 * DAY - 41, 4], seen: 3 * DAY + 900, accepted: 3 * DAY + 800, closed: [3 * DAY + 790, 'ganada'], departs: -19 * 60, steps: [[410, 'recolectada'], [75, 'recibida']] },
  { who: 'Efraín Duarte', company: 'Callo de Hacha Loreto', kilos: 1250, cargo: FISH, asked: 9 * DAY, taken: [9 * DAY - 30, 'beto'], answered: [9 * DAY - 88, 6.4], seen: 8 * DAY, accepted: 7 * DAY, closed: [7 * DAY - 20, 'ganada'], departs: 11 * 60, steps: [[2 * DAY, 'recolectada'], [DAY + 400, 'recibida'], [11 * 60, 'envuelo']] },
  { who: 'Sofía Arrieta', company: 'Tequila Dos Arrieros', kilos: 20_000, cargo: DRINKS, asked: 16 * DAY, taken: [16 * DAY - 12, 'ana'], answered: [16 * DAY - 55, 3.1], seen: 15 * DAY, accepted: 14 * DAY, closed: [14 * DAY - 6, 'ganada'], departs: 9 * DAY, steps: [[10 * DAY, 'recolectada'], [10 * DAY - 300, 'recibida'], [9 * DAY, 'envuelo'], [8 * DAY + 400, 'llegada'], [8 * DAY + 200, 'aduana'], [8 * DAY, 'liberada'], [7 * DAY + 900, 'encamino'], [7 * DAY + 600, 'entregada']] },
  { who: 'Leonel Pacheco', company: 'Monitores Clínicos Rosarito', kilos: 900, cargo: DEVICES, asked: 6 * DAY, taken: [6 * DAY - 50, 'beto'], answered: [6 * DAY - 143, 7.9], seen: 5 * DAY, closed: [2 * DAY, 'perdida'], note: 'Perdida: precio' },
  { who: 'Ariadna Ponce', company: 'Mora y Granada Tecolotlán', kilos: 3100, cargo: BERRIES, asked: 12 * DAY, taken: [12 * DAY - 9, 'ana'], answered: [12 * DAY - 77, 4.6], closed: [8 * DAY, 'perdida'], note: 'Perdida: cosecha aplazada' },
  { who: 'Wenceslao Ríos', company: 'Almeja Laguna Larga', kilos: 780, cargo: FISH, asked: 21 * DAY, taken: [21 * DAY - 3, 'beto'], answered: [21 * DAY - 66, 6.9], seen: 20 * DAY, closed: [18 * DAY, 'perdida'], note: 'Perdida: otro transportista' },
  // A quote and its correction.
  { who: 'Ulises Barraza', company: 'Pulpo Rojo del Desierto', kilos: 160, cargo: FISH, asked: 53 },
  { who: 'Ulises Barraza', company: 'Pulpo Rojo del Desierto', kilos: 1600, cargo: FISH, asked: 49, corrects: 35 },
];
