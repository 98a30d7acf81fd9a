import path from 'node:path';
import { expect, test } from 'vitest';
import { scopedName } from '../../build/class-names.ts';

const hero = path.resolve('src/landing/sections/Hero.module.css');
const footer = path.resolve('src/landing/sections/Footer.module.css');

test('a class name depends only on its sheet and its place there', () => {
  const [first, ...others] = ['hero', 'sky', 'half-speed'].map((name) => scopedName(name, hero));
  const letter = first!.replace(/0$/, '');
  expect([first, ...others]).toEqual(['0', '1', '2'].map((place) => `${letter}${place}`));
  expect(scopedName('sky', `${hero}?inline`)).toBe(others[0]);
  expect(scopedName('hero', footer)).not.toBe(first);
});
