const decimal = (figure: number) => figure.toFixed(1);
const rounded = (figure: number) => String(Math.round(figure));

export const designer = {
  title: 'App Icon Designer',
  subtitle: {
    es: 'El icono de la aplicación según las Human Interface Guidelines de Apple: se ve, se mide y se descarga aquí.',
    en: 'The app’s icon by Apple’s Human Interface Guidelines: seen, measured and downloaded here.',
  },
  back: { es: 'Volver al sitio', en: 'Back to the site' },
  preview: {
    title: { es: 'Vista previa', en: 'Preview' },
    picture: (scheme: string) => `Icono en el esquema ${scheme}: un arco de vuelo sobre la curva de la Tierra`,
    note: {
      es: 'Original de 1024\u00a0px. Las guías no se exportan.',
      en: '1024\u00a0px master. Guides are not exported.',
    },
  },
  scheme: {
    title: { es: 'Esquema de color', en: 'Colour scheme' },
    names: {
      primary: { es: 'Primario', en: 'Primary: blue to purple' },
      cargo: { es: 'Carga', en: 'Cargo: green' },
      logistics: { es: 'Logística', en: 'Logistics: orange to yellow' },
    },
  },
  guides: {
    title: { es: 'Guías', en: 'Guides' },
    grid: { es: 'Mostrar cuadrícula', en: 'Show Grid' },
    safeZones: { es: 'Mostrar zonas seguras', en: 'Show Safe Zones' },
  },
  exports: {
    title: { es: 'Exportar', en: 'Export' },
    size: { es: 'Tamaño de exportación', en: 'Export size' },
    sizes: {
      29: '29\u00a0px (@1x)',
      58: '58\u00a0px (@2x)',
      87: '87\u00a0px (@3x)',
      1024: '1024\u00a0px (original · master)',
    },
    formats: {
      svg: { es: 'Exportar SVG', en: 'Export SVG' },
      png: { es: 'Exportar PNG', en: 'Export PNG' },
      zip: { es: 'Todo en ZIP', en: 'Whole set as ZIP' },
    },
    done: (file: string) => ({ es: `Descargado: ${file}`, en: `Downloaded: ${file}` }),
    failed: {
      es: 'No se pudo crear el archivo. Inténtelo de nuevo.',
      en: 'The file could not be made. Please try again.',
    },
    share: {
      es: 'El diseño queda en la dirección de esta página: cópiela para compartirlo.',
      en: 'The design stays in this page’s address: copy it to share.',
    },
  },
  scaleTests: {
    title: { es: 'Pruebas de escala', en: 'Scale Tests' },
    note: { es: 'Cada una a su tamaño real.', en: 'Each at its true size.' },
    picture: (size: number) => ({ es: `Icono a ${size}\u00a0px`, en: `Icon at ${size}\u00a0px` }),
  },
  guidelines: {
    title: { es: 'Guías de Apple', en: 'Apple Guidelines' },
    note: {
      es: 'Ocho puntos se calculan del icono; dos los decide el ojo.',
      en: 'Eight points are computed from the icon; two are for the eye.',
    },
    states: {
      met: { es: 'Cumple', en: 'Met' },
      missed: { es: 'No cumple', en: 'Missed' },
      judgement: { es: 'A juicio', en: 'A judgement' },
    },
    judged: {
      simple: {
        name: { es: 'Diseño simple y fuerte', en: 'Simple, bold design' },
        reason: { es: 'Un arco, dos puntos y la Tierra.', en: 'One arc, two dots and the Earth.' },
      },
      focus: {
        name: { es: 'Foco claro', en: 'Clear focal point' },
        reason: { es: 'El destino: grande y en otro color.', en: 'The destination: large, in a colour of its own.' },
      },
    },
    measured: {
      detail: {
        name: { es: 'Detalle mínimo', en: 'Minimal detail' },
        figure: (figure: number) => ({
          es: `El arco mide ${decimal(figure)}\u00a0px en el icono de 29\u00a0px`,
          en: `the arc is ${decimal(figure)}\u00a0px in the 29\u00a0px icon`,
        }),
      },
      gradients: {
        name: { es: 'Degradados sutiles', en: 'Subtle gradients' },
        figure: (figure: number) => ({
          es: `Degradados: ${rounded(figure)}, de dos colores`,
          en: `gradients: ${rounded(figure)}, of two colours`,
        }),
      },
      padding: {
        name: { es: 'Margen de 10% o más', en: '10%+ padding' },
        figure: (figure: number) => ({ es: `${decimal(figure)}% al borde`, en: `${decimal(figure)}% to the edge` }),
      },
      contrast: {
        name: { es: 'Alto contraste', en: 'High contrast' },
        figure: (figure: number) => ({
          es: `${decimal(figure)} a 1 donde es menor`,
          en: `${decimal(figure)} to 1 at its lowest`,
        }),
      },
      safeZone: {
        name: { es: '15% libre abajo', en: '15% bottom safe zone' },
        figure: (figure: number) => ({ es: `${decimal(figure)}% libre`, en: `${decimal(figure)}% free` }),
      },
      text: {
        name: { es: 'Sin texto', en: 'No text' },
        figure: (figure: number) => ({ es: `Textos: ${rounded(figure)}`, en: `texts: ${rounded(figure)}` }),
      },
      flat: {
        name: { es: 'Diseño plano', en: 'Flat design' },
        figure: (figure: number) => ({
          es: `Sombras, filtros e imágenes: ${rounded(figure)}`,
          en: `shadows, filters and images: ${rounded(figure)}`,
        }),
      },
      palette: {
        name: { es: 'Paleta de iOS', en: 'iOS palette' },
        figure: (figure: number) => ({
          es: `Colores fuera de ella: ${rounded(figure)}`,
          en: `colours outside it: ${rounded(figure)}`,
        }),
      },
    },
  },
  specs: {
    title: { es: 'Especificaciones técnicas', en: 'Technical Specs' },
    names: {
      radius: { es: 'Radio de esquina · 22.37%', en: 'Corner radius' },
      padding: { es: 'Margen · 10%', en: 'Padding' },
      safeZone: { es: 'Zona segura inferior · 15%', en: 'Bottom safe zone' },
      size: { es: 'Exportación', en: 'Export dimensions' },
    },
    pixels: (length: number) => `${length}\u00a0px`,
    square: (size: number) => `${size} × ${size}\u00a0px`,
  },
} as const;
