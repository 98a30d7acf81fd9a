import { config } from '../config.ts';
import { drawIcon, type IconState } from './icon.ts';
import { iconSet } from './icon-set.ts';
import { download } from '../ui/download.ts';
import { rasterise } from './rasterise.ts';

export const FORMATS = ['svg', 'png', 'zip'] as const;
export type IconFormat = (typeof FORMATS)[number];

const product = config.company.name
  .normalize('NFD')
  .toLowerCase()
  .replaceAll(/[^\da-z]+/g, '');

const nameOf = (size: number) => `${product}-icon-${size}`;

export async function save({ scheme, exportSize }: IconState, format: IconFormat): Promise<string> {
  const name = format === 'zip' ? `${product}-icons-${scheme}.zip` : `${nameOf(exportSize)}.${format}`;
  if (format === 'zip') {
    const { zip } = await import('./zip.ts');
    const entries = iconSet(scheme, nameOf).map(async ({ path, svg }) => ({ path, content: await encode(svg, path) }));
    download(name, 'application/zip', zip(await Promise.all(entries)));
  } else {
    const type = format === 'svg' ? 'image/svg+xml' : 'image/png';
    download(name, type, [await encode(drawIcon(scheme, exportSize), name)]);
  }
  return name;
}

async function encode(svg: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  return path.endsWith('.svg') ? new TextEncoder().encode(svg) : rasterise(svg);
}
