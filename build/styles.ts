import { browserslistToTargets, transform } from 'lightningcss';

/** The oldest engines that the site is built for. */
const engines = { chrome: '111', firefox: '114', safari: '16.4' };

/** As `build.target` of Vite wants them. */
export const target = Object.entries(engines).map(([name, version]) => `${name}${version}`);
const targets = browserslistToTargets(Object.entries(engines).map(([name, version]) => `${name} ${version}`));

/** One sheet of many, in their order, without what a browser does not need. */
export function joinStyles(sheets: readonly { readonly css: string }[]): string {
  const code = Buffer.from(sheets.map(({ css }) => css).join(''));
  return transform({ filename: 'document.css', code, minify: true, targets }).code.toString();
}
