// What the worker must not carry resolves to this, and so does not compile (tsconfig.json, paths).
export {};
