import { FIELDS, type Field } from '../lead/fields.ts';
import { control } from './controls.ts';

/**
 * Makes Enter move to the next empty field. The 'next' key of an iPhone's keyboard sends an Enter, which would
 * otherwise submit the form. On the last empty field the key is labelled 'send'.
 */
export function followEnter(island: HTMLElement): void {
  const onFocusOrKey = (event: Event) => {
    const target = event.target as HTMLInputElement;
    const at = FIELDS.indexOf(target.name as Field);
    if (at < 0) return;
    const controls = FIELDS.slice(at + 1).map((field) => control(target.form!, field));
    const empty = controls.find(({ value }) => !value.trim());
    target.enterKeyHint = empty ? 'next' : 'send';
    // While a word is being composed, as in Chinese, Enter only ends the composition. Safari marks such an Enter by the
    // code 229 (https://bugs.webkit.org/165004).
    // oxlint-disable-next-line typescript/no-deprecated -- no other property tells this Enter apart
    const { key, isComposing, keyCode } = event as KeyboardEvent;
    if (!empty || key !== 'Enter' || isComposing || keyCode === 229) return;
    event.preventDefault();
    empty.focus();
  };
  island.addEventListener('focusin', onFocusOrKey);
  island.addEventListener('keydown', onFocusOrKey);
}
