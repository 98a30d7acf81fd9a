import { drawIcon, EXPORT_SIZES, type Frame, type SchemeName } from './icon.ts';

export interface IconFile {
  readonly path: string;
  readonly svg: string;
}

/**
 * Icon files in `public/`, with the frame of each. iOS and Android launchers cut the corners of square icons
 * themselves.
 */
const WEB: readonly (readonly [path: string, size: number, frame: Frame])[] = [
  ['favicon.svg', 32, 'rounded'],
  ['icons/favicon-16.png', 16, 'rounded'],
  ['icons/favicon-32.png', 32, 'rounded'],
  ['icons/favicon-48.png', 48, 'rounded'],
  ['icons/icon-192.png', 192, 'rounded'],
  ['icons/icon-512.png', 512, 'rounded'],
  ['icons/maskable-512.png', 512, 'maskable'],
  ['icons/apple-touch-180.png', 180, 'square'],
];

export function webIcons(scheme: SchemeName): readonly IconFile[] {
  return WEB.map(([path, size, frame]) => ({ path, svg: drawIcon(scheme, size, frame) }));
}

/** Returns all icon files: each export size as SVG and PNG, and the icons of the site. */
export function iconSet(scheme: SchemeName, name: (size: number) => string): readonly IconFile[] {
  const exports = EXPORT_SIZES.flatMap((size) =>
    ['svg', 'png'].map((format) => ({ path: `${name(size)}.${format}`, svg: drawIcon(scheme, size) })),
  );
  return [...exports, ...webIcons(scheme).map((file) => ({ ...file, path: `web/${file.path}` }))];
}
