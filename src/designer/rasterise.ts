/** As a PNG in a data URL: fetching a blob to read its bytes is not in the content security policy. */
export async function rasterise(svg: string): Promise<string> {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')!.drawImage(picture, 0, 0);
  return canvas.toDataURL('image/png');
}
