import { FORM_ID } from '../agreements.ts';
import { voice as assistant } from '../config.ts';
import { Call, type ToolCall } from './call.ts';
import { loadLibrary, openLine } from './vapi.ts';

/** The call of this page; undefined if the settings name no assistant. */
export const call = assistant && new Call((report) => openLine(assistant!, report), fillInForm);

/** Loads the voice library before a call starts. */
export const preload = assistant ? () => void loadLibrary().catch(() => undefined) : () => undefined;

async function fillInForm(tool: ToolCall) {
  const { fillIn } = await import('./fill-in.ts');
  const answer = fillIn(tool);
  // A focusin event hydrates the form, as the visitor's touch would.
  if (answer && !answer.isRefused)
    document.querySelector(`#${FORM_ID}`)?.dispatchEvent(new Event('focusin', { bubbles: true }));
  return answer;
}
