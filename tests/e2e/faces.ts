/** The faces that the browser finds in place of those of the machine: a file of tests/fonts for each. */
export const FACES = ['wide', 'roboto', 'arial', 'narrow'] as const;

export type Faces = (typeof FACES)[number];
