interface Props {
  /** One of build/drawings.ts; `#` names a part of it. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly className?: string | undefined;
}

/** Says nothing that the text beside it does not say, and is fetched when it is near. */
export function Drawing({ name, width, height, className }: Props) {
  const [file, part] = name.split('#');
  const src = `/drawings/${file}.svg${part ? `#${part}` : ''}`;
  return <img className={className} src={src} width={width} height={height} loading="lazy" alt="" />;
}
