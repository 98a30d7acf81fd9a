import { sendPart } from '../src/outbox/send-part.ts';

export const loadFileSender = async () => ({ sendPart });
