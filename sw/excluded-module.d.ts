// Empty module in place of modules that a worker must not contain (tsconfig.json, paths). It exports nothing, so
// importing something from it does not compile.
export {};
