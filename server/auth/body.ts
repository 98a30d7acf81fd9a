import { AuthRefusal } from './refusal.ts';

/** The JSON object that a client sent. Stops reading at the limit, whatever length was announced. */
export async function readBody(request: Request, mostBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) throw new AuthRefusal(415, 'validation_failed', 'Only JSON is understood');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes) throw new AuthRefusal(413, 'validation_failed', 'The body is too large');
      chunks.push(chunk);
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch (error) {
    // A phone that lost its signal half-way is nobody's fault.
    if (error instanceof AuthRefusal) throw error;
  }
  throw new AuthRefusal(400, 'bad_json', 'Could not parse request body as JSON');
}
