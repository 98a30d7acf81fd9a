// Modules that a worker must not contain resolve to this one and fail to compile (tsconfig.json, paths).
export {};
