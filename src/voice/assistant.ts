import { voice as assistant } from '../config.ts';
import { Call } from './call.ts';
import { loadLibrary, openLine } from './vapi.ts';

/** The call of this page, where a voice assistant is configured. */
export const call = assistant && new Call((hear) => openLine(assistant!, hear));

/** So that a press need not wait for it. */
export const fetchAhead = assistant ? () => void loadLibrary().catch(() => undefined) : () => undefined;
