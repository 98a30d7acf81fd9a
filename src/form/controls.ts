import { byField, onlyChoice, type Field, type FieldTexts } from '../lead/fields.ts';

/**
 * Returns the form's control with this name. The type is that of an input, although some controls are selects: callers
 * use only properties that both have.
 */
export function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

const optionalControl = (form: HTMLFormElement, field: Field) => control(form, field) as HTMLInputElement | null;

export function read(form: HTMLFormElement): FieldTexts {
  return byField((field) => optionalControl(form, field)?.value ?? onlyChoice(field) ?? '');
}

export function write(form: HTMLFormElement, field: Field, value: string): void {
  const input = optionalControl(form, field);
  if (!input || input.value === value) return;
  input.value = value;
  // The text is selected, so that typing replaces it. Select elements have no function `select`.
  if (input === document.activeElement) input.select?.();
}

export function focusField(form: HTMLFormElement, name: Field): void {
  // The fields are still disabled while the form is busy, so the focus waits for the next frame.
  requestAnimationFrame(() => control(form, name).focus());
}
