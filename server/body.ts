type Read = { readonly text: string } | 'too large' | 'cut off';

/** The text that was sent. Stops reading, and holding, at the limit, whatever length the sender announced. */
export async function readText(request: Request, mostBytes: number): Promise<Read> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > mostBytes) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    // A phone that lost its signal half-way is nobody's fault.
    return 'cut off';
  }
  return { text: Buffer.concat(chunks).toString('utf8') };
}
