/** Sets of system fonts for the browser, each with a file in tests/fonts that hides the fonts of the machine. */
export const FACES = ['wide', 'roboto', 'arial', 'narrow'] as const;

export type Faces = (typeof FACES)[number];
