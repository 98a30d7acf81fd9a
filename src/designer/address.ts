import { EXPORT_SIZES, initialState, isScheme, type IconState } from './icon.ts';

/**
 * Reads a design from the address, so that a link shares the design. Invalid parts get the value of the initial design.
 */
export function readAddress(hash: string): IconState {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const scheme = parameters.get('scheme') ?? '';
  const exportSize = EXPORT_SIZES.find((size) => String(size) === parameters.get('size'));
  return {
    ...initialState,
    grid: parameters.get('grid') !== 'off',
    safeZones: parameters.get('safe-zones') !== 'off',
    scheme: isScheme(scheme) ? scheme : initialState.scheme,
    exportSize: exportSize ?? initialState.exportSize,
  };
}

export function writeAddress({ scheme, grid, safeZones, exportSize }: IconState): string {
  const onOff = (shown: boolean) => (shown ? 'on' : 'off');
  return `#scheme=${scheme}&grid=${onOff(grid)}&safe-zones=${onOff(safeZones)}&size=${exportSize}`;
}
