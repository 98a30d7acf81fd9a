import { readText } from '../body.ts';
import { AuthRefusal } from './refusal.ts';

export async function readBody(request: Request, mostBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) throw new AuthRefusal(415, 'validation_failed', 'The body must be JSON');
  const read = await readText(request, mostBytes);
  if (read === 'too large') throw new AuthRefusal(413, 'validation_failed', 'The body is too large');
  const body = read === 'cut off' ? undefined : parse(read.text);
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  throw new AuthRefusal(400, 'bad_json', 'Could not parse request body as JSON');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const answered = (body: object): Response => Response.json(body, { headers: { 'cache-control': 'no-store' } });
