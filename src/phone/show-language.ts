import { mainWords, onlyLanguage, type OnlyLanguage } from '../content/bilingual.ts';
import { comparison } from '../content/comparison.ts';
import { quoteForm } from '../content/quote-form.ts';
import { element } from '../ui/element.ts';
import { persistedText } from './persisted.ts';

/** Choice of the visitor. src/landing/before-paint.ts reads it too, so that the page is right from the first paint. */
const choice = persistedText('aeropuente.language');
const HEADINGS = ['h1', 'h2', 'h3'];

/** Labels options and headings in the shown language when the page adds content later. */
const observer = new MutationObserver(nameParts);

/** Shows one language or both, on this and later visits, even in content that is added to the page later. */
export function showLanguage(language: OnlyLanguage | undefined): void {
  choice.set(language);
  document.documentElement.lang = language ?? 'es-MX';
  addSheet(language);
  translateShortTexts();
  nameParts();
  observer.disconnect();
  if (language) observer.observe(document.body, { childList: true, subtree: true });
}

function nameParts(): void {
  nameOptions(onlyLanguage());
  nameHeadings(onlyLanguage() === 'en-MX');
}

/** Adds the style sheet that hides the other language. before-paint.ts may have added it already. */
function addSheet(language: OnlyLanguage | undefined): void {
  const href = `/${language}.css`;
  const sheet = document.querySelector('link[blocking][rel=stylesheet]');
  if (sheet?.getAttribute('href') === href) return;
  sheet?.remove();
  if (language) document.head.append(element('link', { rel: 'stylesheet', blocking: 'render', href }));
}

/** Translates texts that have room for only one language. */
function translateShortTexts(): void {
  const { air, sea } = comparison;
  document.querySelector('form legend')!.textContent = mainWords(quoteForm.legend);
  for (const link of document.querySelectorAll('main [href="/privacidad.html"]'))
    link.textContent = mainWords(quoteForm.privacyLink);
  const times = document.querySelectorAll('#comparativo p > b');
  for (const [index, { time, name }] of [air, sea].entries()) {
    const figure = times[index]!;
    figure.textContent = mainWords(time);
    figure.nextSibling!.nodeValue = ` ${mainWords(name)}`;
  }
}

/** Labels the options of selects. The text of an option contains both languages, separated by ' · '. */
function nameOptions(language: OnlyLanguage | undefined): void {
  for (const option of document.querySelectorAll('option')) {
    const [spanish = '', english = spanish] = option.text.split(' · ');
    option.label = language ? { es: spanish, 'en-MX': english }[language] : '';
  }
}

/** Marks the English titles as headings for screen readers, because the style sheet then hides the Spanish headings. */
function nameHeadings(isEnglish: boolean): void {
  for (const [index, heading] of HEADINGS.entries())
    for (const english of document.querySelectorAll(`${heading} + [lang=en]`)) {
      const { id } = english.previousElementSibling!;
      const section = english.closest('[aria-labelledby]');
      if (isEnglish) {
        english.role = 'heading';
        english.ariaLevel = String(index + 1);
        if (id && section?.getAttribute('aria-labelledby') === id) {
          english.id = `${id}-en`;
          section.setAttribute('aria-labelledby', english.id);
        }
      } else {
        english.role = english.ariaLevel = null;
        if (english.id && section) section.setAttribute('aria-labelledby', id);
      }
    }
}
