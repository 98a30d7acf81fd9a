// A module that the worker must not carry resolves to this one, and so does not compile (tsconfig.json, paths).
export {};
