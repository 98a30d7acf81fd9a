import { FORM_ID } from '../agreements.ts';
import { voice as assistant } from '../config.ts';
import { Call, type ToolCall } from './call.ts';
import { loadLibrary, openLine } from './vapi.ts';

/** The call of this page, where a voice assistant is configured. */
export const call = assistant && new Call((hear) => openLine(assistant!, hear), fillInForm);

/** So that a press need not wait for it. */
export const fetchAhead = assistant ? () => void loadLibrary().catch(() => undefined) : () => undefined;

async function fillInForm(tool: ToolCall) {
  const { fillIn } = await import('./fill-in.ts');
  const answer = fillIn(tool);
  // The form may not have woken: it does as if it were touched.
  if (answer && !answer.isRefused)
    document.querySelector(`#${FORM_ID}`)?.dispatchEvent(new Event('focusin', { bubbles: true }));
  return answer;
}
