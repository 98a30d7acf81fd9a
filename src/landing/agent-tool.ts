import { FORM_ID } from '../agreements.ts';
import { mainWords } from '../content/bilingual.ts';
import { fieldWords } from '../content/fields.ts';
import { agentTool as words } from '../content/assistant-values.ts';
import { FIELDS, type Field } from '../lead/fields.ts';
import { assistantValues } from '../phone/assistant-values.ts';

type ToolEvent = Event & { readonly toolName?: string };

const NAME = 'solicitar_cotizacion';

/**
 * Offers the form to the browser's AI agent (WebMCP, https://github.com/webmachinelearning/webmcp). The agent can fill
 * in fields but not send: its values are highlighted like the voice assistant's, and a person confirms and sends them.
 */
export function offerForm(context: EventTarget): void {
  const form = document.getElementById(FORM_ID) as HTMLFormElement;
  const controls = FIELDS.flatMap((field) => {
    const control = form.elements.namedItem(field);
    return control instanceof HTMLInputElement || control instanceof HTMLSelectElement
      ? [[field, control] as const]
      : [];
  });
  for (const [field, control] of controls)
    control.setAttribute('toolparamdescription', mainWords(fieldWords[field].label));
  form.setAttribute('tooldescription', mainWords(words.description));
  form.setAttribute('toolname', NAME);

  const typed = new Map<Field, string>(controls.map(([field, { value }]) => [field, value]));
  // A person's typing sends an InputEvent, the agent a plain Event. Only texts that a person typed are recorded.
  form.addEventListener('input', (event) => {
    const found = event instanceof InputEvent && controls.find(([, control]) => control === event.target);
    if (found) typed.set(found[0], found[1].value);
  });
  context.addEventListener('toolactivated', ({ toolName }: ToolEvent) => {
    if (toolName !== NAME) return;
    const filled = controls.flatMap(([field, control]) => {
      const { value } = control;
      const typedText = typed.get(field) ?? '';
      if (!value || value === typedText) return [];
      // The field gets back the text that the visitor typed. AssistantMarks then writes the agent's value, and its
      // button 'Deshacer' can restore the typed text.
      control.value = typedText;
      return [[field, value] as const];
    });
    assistantValues.set(new Map([...assistantValues.read(), ...filled]));
    // The focus starts React in the form. React then highlights the filled fields.
    controls[0]?.[1].focus();
  });
}
