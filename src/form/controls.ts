import { byField, onlyChoice, type Field, type FieldTexts } from '../lead/fields.ts';

/** A field of the form, or another of its inputs. A select is asked for no more than an input has. */
export function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/** The control of a field; undefined if the form does not ask for it. */
const asked = (form: HTMLFormElement, field: Field) => control(form, field) as HTMLInputElement | null;

export function read(form: HTMLFormElement): FieldTexts {
  return byField((field) => asked(form, field)?.value ?? onlyChoice(field) ?? '');
}

export function write(form: HTMLFormElement, field: Field, value: string): void {
  const input = asked(form, field);
  if (!input || input.value === value) return;
  input.value = value;
  // A visitor who is about to type replaces the value. A choice has no selection.
  if (input === document.activeElement) input.select?.();
}

export function focusField(form: HTMLFormElement, name: Field): void {
  // The field may still be disabled while the answer is shown.
  requestAnimationFrame(() => control(form, name).focus());
}
