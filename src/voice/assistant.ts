import { FORM_ID } from '../agreements.ts';
import { voice as assistant } from '../config.ts';
import { Call, type ToolCall } from './call.ts';
import { loadLibrary, openLine } from './vapi.ts';

/** Call of this page; undefined if the settings name no voice assistant. */
export const call = assistant && new Call((report) => openLine(assistant!, report), fillInForm);

/** Starts to load the voice library before a call. */
export const preload = assistant ? () => void loadLibrary().catch(() => undefined) : () => undefined;

async function fillInForm(tool: ToolCall) {
  const { fillIn } = await import('./fill-in.ts');
  const answer = fillIn(tool);
  // The form's code starts at a focusin event, as if the visitor had touched the form.
  if (answer && !answer.isRefused)
    document.querySelector(`#${FORM_ID}`)?.dispatchEvent(new Event('focusin', { bubbles: true }));
  return answer;
}
