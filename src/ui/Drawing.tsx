interface Props {
  /** Name of a drawing in build/drawings.ts; `#` selects a part. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly className?: string | undefined;
}

/** Decorative, lazily loaded drawing. */
export function Drawing({ name, width, height, className }: Props) {
  const [file, part] = name.split('#');
  const src = `/drawings/${file}.svg${part ? `#${part}` : ''}`;
  return <img className={className} src={src} width={width} height={height} loading="lazy" alt="" />;
}
