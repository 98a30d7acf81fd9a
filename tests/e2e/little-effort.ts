import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

// Preloaded by builds for tests (build-with.ts). A build compresses many files sixteen times and keeps the smallest
// result, which takes most of its time. These trials run with the least effort here, and other files compress as usual.

const { BROTLI_PARAM_NPOSTFIX, BROTLI_PARAM_QUALITY } = zlib.constants;
const atFullEffort = zlib.brotliCompress;

zlib.brotliCompress = ((
  content: Buffer,
  options: zlib.BrotliOptions,
  done: (error: Error | null, result: Buffer) => void,
) => {
  const isOneOfMany = options.params?.[BROTLI_PARAM_NPOSTFIX] !== undefined;
  return atFullEffort(content, isOneOfMany ? { params: { [BROTLI_PARAM_QUALITY]: 0 } } : options, done);
}) as typeof atFullEffort;
syncBuiltinESMExports();
