import { FIELDS, type Field } from '../lead/fields.ts';
import { control } from './controls.ts';

/**
 * On an iPhone the key that a keyboard calls 'next' is an Enter, which would send the form: it goes to the next empty
 * field, and where none follows it is called what it does.
 */
export function followEnter(island: HTMLElement): void {
  const follow = (event: Event) => {
    const target = event.target as HTMLInputElement;
    const at = FIELDS.indexOf(target.name as Field);
    if (at < 0) return;
    const controls = FIELDS.slice(at + 1).map((field) => control(target.form!, field));
    const empty = controls.find(({ value }) => !value.trim());
    target.enterKeyHint = empty ? 'next' : 'send';
    // Safari gives an Enter that ended a composition the code 229 (https://bugs.webkit.org/165004).
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else says so
    const { key, isComposing, keyCode } = event as KeyboardEvent;
    if (!empty || key !== 'Enter' || isComposing || keyCode === 229) return;
    event.preventDefault();
    empty.focus();
  };
  island.addEventListener('focusin', follow);
  island.addEventListener('keydown', follow);
}
