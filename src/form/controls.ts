import { byField, onlyChoice, type Field, type FieldTexts } from '../lead/fields.ts';

/**
 * Control of the form by name. Typed as an input also for a select, because callers use only properties that both have.
 */
export function control(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/** Control of a field; null if the form has no control for the field. */
const optionalControl = (form: HTMLFormElement, field: Field) => control(form, field) as HTMLInputElement | null;

export function read(form: HTMLFormElement): FieldTexts {
  return byField((field) => optionalControl(form, field)?.value ?? onlyChoice(field) ?? '');
}

export function write(form: HTMLFormElement, field: Field, value: string): void {
  const input = optionalControl(form, field);
  if (!input || input.value === value) return;
  input.value = value;
  // The text is selected, so that typing replaces it. A select element has no `select()`.
  if (input === document.activeElement) input.select?.();
}

export function focusField(form: HTMLFormElement, name: Field): void {
  // The focus waits for the next frame, because the fieldset is still disabled now.
  requestAnimationFrame(() => control(form, name).focus());
}
