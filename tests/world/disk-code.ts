// The disk of the simulated phones.
export * from 'fake-indexeddb';
