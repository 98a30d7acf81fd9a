// Module of fake-indexeddb, the disk of the simulated phones.
export * from 'fake-indexeddb';
