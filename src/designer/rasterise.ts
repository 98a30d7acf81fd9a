/** Draws an SVG as PNG. `toBlob` is asynchronous; `toDataURL` is not and would delay the next paint. */
export async function rasterise(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')!.drawImage(picture, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error('There is no memory for a picture of this size.');
  return new Uint8Array(await blob.arrayBuffer());
}
