import type { z } from 'zod';
import type { Environment } from '../build/setting-names.ts';

/** Reads settings. Throws an error that names the first wrong one. */
export function readAs<Output>(schema: z.ZodType<Output>, environment: Environment): Output {
  const { data, error } = schema.safeParse(environment);
  if (error) throw new Error(error.issues[0]!.message);
  return data;
}
