import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

// Tests preload this file into their builds (build-with.ts). A build tries sixteen ways to compress each file, which
// takes most of its time. With this file these trials take the least effort, and other files compress as usual.

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
