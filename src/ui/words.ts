import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';
import styles from './ButtonWords.module.css';
import { element } from './element.ts';
import { splitAtCodes } from './split-at-codes.ts';

// Functions that make the same markup as Inline, NoBreakInline and ButtonWords, for code that works without React.

export const wordsOf = (text: Bilingual): (Node | string)[] => [
  element('span', {}, spanishWords(text)),
  ' ',
  element('span', { lang: 'en' }, englishWords(text)),
];

export const wholeWordsOf = (text: Bilingual): (Node | string)[] => [
  element('span', {}, ...noBreak(spanishWords(text))),
  ' ',
  element('span', { lang: 'en' }, ...noBreak(englishWords(text))),
];

export function plainButton(text: Bilingual, onClick: () => void): HTMLElement {
  const words = element('span', { class: styles['words']! }, ...wordsOf(text));
  const button = element('button', { class: 'button plain', type: 'button' }, words);
  button.addEventListener('click', onClick);
  return button;
}

const noBreak = (text: string): (Node | string)[] =>
  splitAtCodes(text).map((part, index) => (index % 2 === 0 ? part : element('span', { class: 'whole' }, part)));
