import type { CallState } from './machine.ts';

export const APPEARANCES = ['idle', 'listening', 'speaking', 'active'] as const;
export const SIZES = ['small', 'medium', 'large'] as const;
export const POSITIONS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

export type Appearance = (typeof APPEARANCES)[number];
export type Size = (typeof SIZES)[number];
export type Position = (typeof POSITIONS)[number];

export function appearanceOf({ kind }: CallState): Appearance {
  if (kind === 'connected') return 'active';
  return kind === 'initializing' ? 'idle' : kind;
}
