export const APPEARANCES = ['idle', 'listening', 'speaking', 'active'] as const;
export const SIZES = ['small', 'medium', 'large'] as const;
export const POSITIONS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

export type Appearance = (typeof APPEARANCES)[number];
export type Size = (typeof SIZES)[number];
export type Position = (typeof POSITIONS)[number];

export interface Activity {
  readonly isActive: boolean;
  readonly isListening: boolean;
  readonly isSpeaking: boolean;
}

/** Returns the icon's state. If several apply, speaking comes before listening, and listening before active. */
export function appearanceOf({ isActive, isListening, isSpeaking }: Activity): Appearance {
  if (isSpeaking) return 'speaking';
  if (isListening) return 'listening';
  return isActive ? 'active' : 'idle';
}
