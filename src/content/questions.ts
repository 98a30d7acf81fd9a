import { claims } from './claims.ts';

export const questions = {
  title: { es: 'Preguntas frecuentes', en: 'FAQ' },
  items: [
    {
      question: '¿Transportan carga sobredimensionada?',
      questionEn: 'Can you fly oversize cargo?',
      answer: `Sí, con cotización spot (por embarque). Envíenos medidas y peso y la recibe en ${claims.response}.`,
      answerEn: `Yes, on a spot quote (per shipment). Send dimensions and weight; you have it within ${claims.response}.`,
    },
    {
      question: '¿Con qué tipo de cambio se factura?',
      questionEn: 'Which exchange rate applies?',
      answer: 'El tipo de cambio se recalcula al reservar y se confirma 24\u00a0h antes del vuelo.',
      answerEn: 'The exchange rate is recalculated at booking and confirmed 24\u00a0h before the flight.',
    },
    {
      question: '¿Qué rangos de temperatura manejan?',
      questionEn: 'Which temperature ranges do you handle?',
      answer: 'Tres rangos de cadena de frío: 2–8, 12–15 y 20–25\u00a0°C.',
      answerEn: 'Three cold-chain ranges: 2–8, 12–15 and 20–25\u00a0°C.',
    },
    {
      question: '¿Aceptan mercancías peligrosas?',
      questionEn: 'Do you accept dangerous goods?',
      answer: 'No. Las mercancías peligrosas no están permitidas en este servicio.',
      answerEn: 'No. Dangerous goods are not allowed on this service.',
    },
    {
      question: '¿Y baterías de litio, hielo seco o farmacéuticos?',
      questionEn: 'And lithium batteries, dry ice or pharma?',
      answer: 'Deben declararse en la guía aérea con su código, por ejemplo PHARMA-PIL o EXPRESS-XPS.',
      answerEn: 'They must be declared on the air waybill with their code, such as PHARMA-PIL or EXPRESS-XPS.',
    },
    {
      question: '¿Qué documentos necesito?',
      questionEn: 'Which documents do I need?',
      answer: 'Factura comercial, lista de empaque, certificado sanitario y certificado de origen.',
      answerEn: 'Commercial invoice, packing list, sanitary certificate and certificate of origin.',
    },
  ],
} as const;
