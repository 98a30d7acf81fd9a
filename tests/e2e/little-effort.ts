import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

// Loaded ahead of a build that only tests look at (build-with.ts). Which of sixteen codings of a file is the smallest
// takes most of a build's time to find; here they are all made with the least effort. What is coded once stays as it is.

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
