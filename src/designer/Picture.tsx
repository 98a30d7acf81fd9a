interface Props {
  readonly svg: string;
  readonly size: number;
  /** Description; empty for a picture that only decorates its label. */
  readonly text?: string;
}

/** A separate document, because ids of gradients would collide. */
export function Picture({ svg, size, text = '' }: Props) {
  return <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={text} width={size} height={size} />;
}
