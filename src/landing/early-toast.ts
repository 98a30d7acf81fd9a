import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { notices } from '../content/notices.ts';
import card from '../notices/Toast.module.css';
import styles from '../notices/Toaster.module.css';
import { FORM_DURATION } from '../notices/toasts.ts';
import { wordsOf } from '../receipts/stub.ts';

const GAP = 8;

/** Shows a toast before React has come, which owns all other toasts. Returns the function that removes it. */
export function showEarlyToast(text: Bilingual, type: 'error' | 'info' = 'error'): () => void {
  const toaster = document.createElement('div');
  toaster.className = styles['toaster']!;
  toaster.innerHTML = `<div class="${card['toast']} ${card[type]}" role="alert"></div>`;
  document.body.append(toaster);
  const toast = toaster.firstElementChild!;
  // A live region is announced only if it was in the page before its text.
  toast.innerHTML = `<p></p><button type="button" class="${card['close']}" aria-label="${mainWords(notices.close)}">×</button>`;
  toast.firstElementChild!.append(...wordsOf(text));

  const { style } = document.documentElement;
  // The focused field must not lie under the toast.
  style.scrollPaddingTop = `${toaster.getBoundingClientRect().bottom + GAP}px`;
  const remove = () => {
    toaster.remove();
    style.scrollPaddingTop = '';
  };
  toast.lastElementChild!.addEventListener('click', remove);
  setTimeout(remove, FORM_DURATION);
  return remove;
}
