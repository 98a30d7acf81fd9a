interface Props {
  readonly svg: string;
  readonly size: number;
  /** Without one it only adorns its label. */
  readonly text?: string;
}

/** As a document of its own, so that no two gradients share a name. */
export function Picture({ svg, size, text = '' }: Props) {
  return <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt={text} width={size} height={size} />;
}
