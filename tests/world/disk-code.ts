// Disk of the simulated phones.
export * from 'fake-indexeddb';
