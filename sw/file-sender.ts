import * as sender from '../src/outbox/send-part.ts';

export const loadFileSender = async () => sender;
