/** Names of the sets of system fonts. A file in tests/fonts for each set hides the machine’s own fonts. */
export const FACES = ['wide', 'roboto', 'arial', 'narrow'] as const;

export type Faces = (typeof FACES)[number];
