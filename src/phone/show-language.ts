import { mainWords, onlyLanguage, type OnlyLanguage } from '../content/bilingual.ts';
import { comparison } from '../content/comparison.ts';
import { quoteForm } from '../content/quote-form.ts';
import { element } from '../ui/element.ts';
import { persistedText } from './persisted.ts';

/** The visitor's choice. before-paint.ts (src/landing) reads it too, to show one language from the first paint. */
const choice = persistedText('aeropuente.language');
const HEADINGS = ['h1', 'h2', 'h3'];

/** Watches for content that the page adds later. */
const observer = new MutationObserver(nameParts);

/** Shows one language or both, now and in later visits, also in content that the page adds later. */
export function showLanguage(language: OnlyLanguage | undefined): void {
  choice.set(language);
  document.documentElement.lang = language ?? 'es-MX';
  wearSheet(language);
  nameSingles();
  nameParts();
  observer.disconnect();
  if (language) observer.observe(document.body, { childList: true, subtree: true });
}

function nameParts(): void {
  nameOptions(onlyLanguage());
  nameHeadings(onlyLanguage() === 'en-MX');
}

/** Replaces the style sheet of a single language, which before-paint.ts may have added already. */
function wearSheet(language: OnlyLanguage | undefined): void {
  const href = `/${language}.css`;
  const worn = document.querySelector('link[blocking][rel=stylesheet]');
  if (worn?.getAttribute('href') === href) return;
  worn?.remove();
  if (language) document.head.append(element('link', { rel: 'stylesheet', blocking: 'render', href }));
}

/** Fills the texts of the document that have room for one language only. */
function nameSingles(): void {
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

/** Labels the options of selects, which hold both languages in one text. */
function nameOptions(language: OnlyLanguage | undefined): void {
  for (const option of document.querySelectorAll('option')) {
    const [spanish = '', english = spanish] = option.text.split(' · ');
    option.label = language ? { es: spanish, 'en-MX': english }[language] : '';
  }
}

/** Makes the English texts headings: the style sheet hides the Spanish ones, for screen readers too. */
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
