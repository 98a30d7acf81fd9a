// Empty module in place of modules that a worker must not contain: an import from such a module fails to compile
// (tsconfig.json, paths).
export {};
