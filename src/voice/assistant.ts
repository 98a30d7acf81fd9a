import { FORM_ID } from '../agreements.ts';
import { voice as assistant } from '../config.ts';
import { Call, type ToolCall } from './call.ts';
import { loadLibrary, openLine } from './vapi.ts';

/** Call of this page; undefined if the settings name no voice assistant. */
export const call = assistant && new Call((report) => openLine(assistant!, report), fillInForm);

export const preload = assistant ? () => void loadLibrary().catch(() => undefined) : () => undefined;

async function fillInForm(tool: ToolCall) {
  const { fillIn } = await import('./fill-in.ts');
  const answer = fillIn(tool);
  // The form's code starts at the visitor's first touch. The assistant's values arrive without a touch, so the event
  // below starts that code.
  if (answer && !answer.isRefused)
    document.querySelector(`#${FORM_ID}`)?.dispatchEvent(new Event('focusin', { bubbles: true }));
  return answer;
}
