import { browserslistToTargets, transform } from 'lightningcss';

/** Oldest engines that the site supports. */
const engines = { chrome: '111', firefox: '114', safari: '16.4' };

/** The same engines in the notation of Vite's `build.target`. */
export const target = Object.entries(engines).map(([name, version]) => `${name}${version}`);
const targets = browserslistToTargets(Object.entries(engines).map(([name, version]) => `${name} ${version}`));

export function joinStyles(sheets: readonly { readonly css: string }[]): string {
  const code = Buffer.from(sheets.map(({ css }) => css).join(''));
  return transform({ filename: 'document.css', code, minify: true, targets }).code.toString();
}
