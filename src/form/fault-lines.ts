import type { Bilingual } from '../content/bilingual.ts';
import { faultOf } from '../content/field-failures.ts';
import { FIELDS, type Field } from '../lead/fields.ts';
import { element } from '../ui/element.ts';
import { wordsOf } from '../ui/words.ts';
import { control } from './controls.ts';
import type { Faults } from './rules.ts';

export interface FaultLines {
  readonly show: (faults: Faults) => void;
  readonly clear: () => void;
  /**
   * Checks a field again after a change. `isLeft`: true when the visitor leaves the field; only then may a new fault
   * appear. A visible fault is updated or removed while the visitor types.
   */
  readonly follow: (field: Field, isLeft: boolean) => void;
}

/** Shows a sentence under each field with a fault, once the visitor has pressed the submit button. */
export function createFaultLines(form: HTMLFormElement): FaultLines {
  let faults: Faults | undefined;

  function set(field: Field, fault: Bilingual | undefined) {
    const input = control(form, field);
    const id = `${field}-fault`;
    form.querySelector(`#${id}`)?.remove();
    if (fault) input.closest('.field')!.append(element('p', { id }, ...wordsOf(fault)));
    const lines = [`${field}-hint`, id].filter((line) => form.querySelector(`#${line}`));
    setOrRemove(input, 'aria-invalid', fault ? 'true' : '');
    setOrRemove(input, 'aria-describedby', lines.join(' '));
  }

  function show(next: Faults | undefined) {
    faults = next;
    for (const field of FIELDS) set(field, faults?.[field]);
  }

  return {
    show,
    clear: () => faults && show(undefined),
    follow(field, isLeft) {
      if (!faults || !(isLeft || faults[field])) return;
      const fault = faultOf(field, control(form, field).value);
      faults = { ...faults, [field]: fault };
      set(field, fault);
    },
  };
}

function setOrRemove(input: HTMLElement, name: string, value: string): void {
  if (value) input.setAttribute(name, value);
  else input.removeAttribute(name);
}
