import { EXPORT_SIZES, initialState, isScheme, type IconState } from './icon.ts';

/** A design stands in the address, so that it can be shared. What an address says oddly is as if it said nothing. */
export function readAddress(hash: string): IconState {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  const scheme = said.get('scheme') ?? '';
  const exportSize = EXPORT_SIZES.find((size) => String(size) === said.get('size'));
  return {
    ...initialState,
    grid: said.get('grid') !== 'off',
    safeZones: said.get('safe-zones') !== 'off',
    scheme: isScheme(scheme) ? scheme : initialState.scheme,
    exportSize: exportSize ?? initialState.exportSize,
  };
}

export function writeAddress({ scheme, grid, safeZones, exportSize }: IconState): string {
  const onOff = (shown: boolean) => (shown ? 'on' : 'off');
  return `#scheme=${scheme}&grid=${onOff(grid)}&safe-zones=${onOff(safeZones)}&size=${exportSize}`;
}
