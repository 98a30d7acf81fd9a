import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

// Loaded ahead of a build that only tests look at (build-with.ts). That each file is as small as can be takes sixteen
// codings at full effort, which is most of a build's time; with the least effort the same files come out of them.

const { BROTLI_PARAM_QUALITY } = zlib.constants;
const atFullEffort = zlib.brotliCompress;

zlib.brotliCompress = ((content: Buffer, _options: object, done: Parameters<typeof atFullEffort>[1]) =>
  atFullEffort(content, { params: { [BROTLI_PARAM_QUALITY]: 0 } }, done)) as typeof atFullEffort;
syncBuiltinESMExports();
