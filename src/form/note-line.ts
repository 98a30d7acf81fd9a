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

/** Line above the fields, which tells where the form's values come from. */
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
            // The focused button disappears together with the line, so the form takes the focus.
            form.focus({ preventScroll: true });
          }),
        );
      form.prepend(line);
    },
  };
}
