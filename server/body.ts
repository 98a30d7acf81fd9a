type ReadResult = { readonly text: string } | 'too large' | 'cut off';

/**
 * Reads a body as text, up to a limit. Counts the bytes that arrive, because the sender may announce a wrong length.
 */
export async function readText(request: Request, mostBytes: number): Promise<ReadResult> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    // A phone without signal causes this error, so the server does not log the error.
    return 'cut off';
  }
  return { text: Buffer.concat(chunks).toString('utf8') };
}
