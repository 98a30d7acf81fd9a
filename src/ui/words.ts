import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';
import styles from './ButtonWords.module.css';
import { element } from './element.ts';
import { splitWhole } from './split-whole.ts';

// Markup of Inline, WholeInline and ButtonWords for parts without React.

export const wordsOf = (text: Bilingual): (Node | string)[] => [
  element('span', {}, spanishWords(text)),
  ' ',
  element('span', { lang: 'en' }, englishWords(text)),
];

export const wholeWordsOf = (text: Bilingual): (Node | string)[] => [
  element('span', {}, ...whole(spanishWords(text))),
  ' ',
  element('span', { lang: 'en' }, ...whole(englishWords(text))),
];

export function plainButton(text: Bilingual, onClick: () => void): HTMLElement {
  const words = element('span', { class: styles['words']! }, ...wordsOf(text));
  const button = element('button', { class: 'button plain', type: 'button' }, words);
  button.addEventListener('click', onClick);
  return button;
}

const whole = (text: string): (Node | string)[] =>
  splitWhole(text).map((part, index) => (index % 2 === 0 ? part : element('span', { class: 'whole' }, part)));
