import path from 'node:path';
import { expect, test } from 'vitest';
import { scopedName, sheetLetter, stylesFor } from '../../build/class-names.ts';

const hero = path.resolve('src/sections/Hero.module.css');
const footer = path.resolve('src/sections/Footer.module.css');
const css = '.hero { margin: .5rem } .hero .sky {} @keyframes half-speed {}';

test('a name is its sheet and its place in it, the same whoever asks', () => {
  const names = ['hero', 'sky', 'half-speed'].map((name) => scopedName(name, hero, css));
  expect(names).toEqual(['0', '1', '2'].map((place) => `${sheetLetter(hero)}${place}`));
  expect(scopedName('sky', `${hero}?inline`, css)).toBe(names[1]);
  expect(sheetLetter(footer)).not.toBe(sheetLetter(hero));
});

test('a document carries the styles of what it shows, and those of every document', () => {
  const [sky, end] = [scopedName('sky', hero, css), `${sheetLetter(footer)}0`];
  const styles = [
    '@font-face{src:url(/fonts/x.woff2)}',
    '.button{color:red}',
    `@media print{@supports (a:b){.${sky} a{b:c}}}`,
    `.${end}{d:e}`,
    `@media print{.${end}{d:f}}`,
  ];
  expect(stylesFor(`<p class="night ${sky}"></p>`, styles.join(''))).toBe(styles.slice(0, 3).join(''));
  expect(stylesFor('', `p,:is(a,b) .${sky},b{c:d}@media print{.${end}{e:f}.button{g:h}}`)).toBe(
    'p,b{c:d}@media print{.button{g:h}}',
  );
  expect(stylesFor(`<p class="${end}"></p>`, styles.join(''))).toBe(
    [0, 1, 3, 4].map((place) => styles[place]).join(''),
  );
});
