/** Draws the icon as SVG text from the chosen options. The page, the build and the tests use this file. */

export interface IconState {
  readonly size: number;
  readonly grid: boolean;
  readonly safeZones: boolean;
  readonly scheme: SchemeName;
  readonly exportSize: number;
}

export const MASTER = 1024;
export const EXPORT_SIZES = [29, 58, 87, MASTER] as const;
export const SCALE_TESTS = [29, 49, 58, 87, 120] as const;

export const initialState: IconState = { size: MASTER, grid: true, safeZones: true, scheme: 'primary', exportSize: 87 };

/** Lengths as fractions of the icon's side. */
const CORNER_RADIUS = 0.2237;
export const PADDING = 0.1;
export const SAFE_ZONE = 0.15;

/**
 * Apple's system colours. If the normal colour is too pale behind the mark, its variant with increased contrast is
 * used.
 */
const schemes = {
  primary: { from: '#0040dd', to: '#8944ab', mark: '#ffffff', goal: '#ffcc00', earth: '#000000' },
  cargo: { from: '#248a3d', to: '#0c817b', mark: '#ffffff', goal: '#ffd426', earth: '#000000' },
  logistics: { from: '#ff9500', to: '#ffcc00', mark: '#1c1c1e', goal: '#0040dd', earth: '#ffffff' },
} as const;

export type SchemeName = keyof typeof schemes;
export const SCHEMES = Object.keys(schemes) as readonly SchemeName[];

const EARTH_OPACITY = 0.25;

// Geometry of the drawing, in units of the master icon: a flight from START to GOAL, thicker towards GOAL, above the
// curve of the earth (LIMB).
const LEVEL = 588;
const START = { x: 212, radius: 70 };
const GOAL = { x: 776, radius: 122 };
/**
 * RISE: height of the two arcs of the flight above LEVEL. SPREAD: distance between the end of each arc and the centre
 * of GOAL.
 */
const RISE = { outer: 282, inner: 178 };
const SPREAD = 42;
const LIMB = { x: 512, y: 1238, radius: 700 };

/** Edges of the mark: the drawn flight with its start and goal. */
export const extent = {
  left: START.x - START.radius,
  right: GOAL.x + GOAL.radius,
  top: LEVEL - RISE.outer,
  bottom: LEVEL + GOAL.radius,
} as const;

/**
 * Frame of an icon: our rounded corners, a square whose corners the system cuts, or a mark inside the circle (80 % of
 * the width) that every mask of Android shows.
 */
export type Frame = 'rounded' | 'square' | 'maskable';

export function drawPreview(state: IconState): string {
  const guides = [state.grid && grid(state.scheme), state.safeZones && safeZones(state.scheme)].filter(Boolean);
  return draw(state.scheme, state.size, 'rounded', guides.join(''));
}

/**
 * Draws an icon with width and height, without guide lines. The master icon is square, because Apple cuts its corners
 * itself.
 */
export function drawIcon(scheme: string, wanted: number, frame?: Frame): string {
  const size = sizeOf(wanted);
  return draw(scheme, size, frame ?? (size === MASTER ? 'square' : 'rounded'), '');
}

export function measures(size: number) {
  return {
    radius: round(CORNER_RADIUS * size),
    padding: round(PADDING * size),
    safeZone: round(SAFE_ZONE * size),
    size,
  };
}

function draw(wanted: string, wantedSize: number, frame: Frame, guides: string): string {
  const scheme = isScheme(wanted) ? wanted : initialState.scheme;
  const size = sizeOf(wantedSize);
  const { from, to, mark, goal, earth } = schemes[scheme];
  const { radius } = measures(MASTER);
  const corners = frame === 'rounded' ? ` rx="${radius}"` : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${MASTER} ${MASTER}">`,
    `<defs><linearGradient id="${scheme}" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`,
    `<clipPath id="frame"><rect width="${MASTER}" height="${MASTER}"${corners}/></clipPath></defs>`,
    `<g clip-path="url(#frame)"><rect width="${MASTER}" height="${MASTER}" fill="url(#${scheme})"/>`,
    `<g${frame === 'maskable' ? ` transform="${centred()}"` : ''}>`,
    `<circle cx="${LIMB.x}" cy="${LIMB.y}" r="${LIMB.radius}" fill="${earth}" fill-opacity="${EARTH_OPACITY}"/>`,
    `<path d="${flight()}" fill="${mark}"/>`,
    `<circle cx="${START.x}" cy="${LEVEL}" r="${START.radius}" fill="${mark}"/>`,
    `<circle cx="${GOAL.x}" cy="${LEVEL}" r="${GOAL.radius}" fill="${goal}"/>`,
    `</g>${guides}</g></svg>`,
  ].join('');
}

const sizeOf = (wanted: number) => (Number.isInteger(wanted) && wanted > 0 && wanted <= 4 * MASTER ? wanted : MASTER);

/**
 * Returns the outline of the flight: an outer arc to the far side of GOAL, and a flatter inner arc back from its near
 * side.
 */
function flight(): string {
  const outer = arcRadius(GOAL.x + SPREAD - START.x, RISE.outer);
  const inner = arcRadius(GOAL.x - SPREAD - START.x, RISE.inner);
  return `M${START.x} ${LEVEL}A${outer} ${outer} 0 0 1 ${GOAL.x + SPREAD} ${LEVEL}H${GOAL.x - SPREAD}A${inner} ${inner} 0 0 0 ${START.x} ${LEVEL}Z`;
}

function arcRadius(chord: number, rise: number): number {
  return round(((chord / 2) ** 2 + rise ** 2) / (2 * rise));
}

/**
 * Moves the mark to the centre. There it fits into the circle that every Android mask shows (measured in tests/unit).
 */
function centred(): string {
  const shift = (from: number, to: number) => round((MASTER - from - to) / 2);
  return `translate(${shift(extent.left, extent.right)} ${shift(extent.top, extent.bottom)})`;
}

function grid(scheme: string): string {
  const eighths = [1, 2, 3, 4, 5, 6, 7].map((part) => (part * MASTER) / 8);
  const lines = eighths.map((at) => `M${at} 0V${MASTER}M0 ${at}H${MASTER}`).join('');
  const keylines = [0.2, 0.3, 0.4].map((part) => `<circle cx="512" cy="512" r="${round(part * MASTER)}"/>`).join('');
  return `<g id="grid" fill="none" stroke="${inkOf(scheme)}" stroke-opacity=".45" stroke-width="3"><path d="${lines}M0 0L1024 1024M1024 0L0 1024"/>${keylines}</g>`;
}

function safeZones(scheme: string): string {
  const { padding, safeZone } = measures(MASTER);
  const inner = round(MASTER - 2 * padding);
  return `<g id="safe-zones" stroke="${inkOf(scheme)}" stroke-width="6"><rect x="${padding}" y="${padding}" width="${inner}" height="${inner}" fill="none" stroke-dasharray="24 16"/><path d="M0 ${round(MASTER - safeZone)}H${MASTER}V${MASTER}H0Z" fill="${inkOf(scheme)}" fill-opacity=".25"/></g>`;
}

const inkOf = (scheme: string) => schemes[isScheme(scheme) ? scheme : initialState.scheme].mark;

export function isScheme(name: string): name is SchemeName {
  return Object.hasOwn(schemes, name);
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
