import { openDB } from 'idb';

export const database = () =>
  openDB('quotes', 1, { upgrade: (made) => void made.createObjectStore('outbox', { autoIncrement: true }) });
