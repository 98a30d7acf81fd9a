import type { Bilingual } from '../content/bilingual.ts';
import { element } from '../ui/element.ts';
import { plainButton } from '../ui/words.ts';
import styles from './FormStates.module.css';

export interface NoteLine {
  readonly show: (
    words: readonly (Node | string)[],
    act?: { readonly label: Bilingual; readonly run: () => void },
  ) => void;
  readonly hide: () => void;
}

/** Adds and removes the line above the fields, for example the line that says where the form's values come from. */
export function createNoteLine(form: HTMLFormElement): NoteLine {
  let line: HTMLElement | undefined;
  const hide = () => line?.remove();
  return {
    hide,
    show(words, act) {
      hide();
      line = element('div', { class: styles['draft']!, role: 'status' }, element('span', {}, ...words));
      if (act)
        line.append(
          plainButton(act.label, () => {
            hide();
            act.run();
            // The pressed button is about to disappear with its line, so the focus moves to the form.
            form.focus({ preventScroll: true });
          }),
        );
      form.prepend(line);
    },
  };
}
